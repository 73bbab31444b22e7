import type { Pixels, Rgb } from './image';

/**
 * Scales an image to a width and height, over white where it is transparent. Enlarging interpolates bilinearly:
 * with the nearest neighbour every small block would be flat, and every edge histogram zero. Shrinking averages
 * the area that a pixel covers, so that no detail is skipped.
 */
export function resizeOverWhite(image: Pixels, width: number, height: number): Rgb {
  const columns = weights(image.width, width);
  const rows = weights(image.height, height);
  const data = new Float32Array(width * height * 3);
  // First across, for the source rows; then down.
  const across = new Float32Array(image.height * width * 3);
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < width; x++) {
      const { first, shares } = columns[x]!;
      const to = (y * width + x) * 3;
      for (let i = 0; i < shares.length; i++) {
        const from = (y * image.width + first + i) * 4;
        const share = shares[i]!;
        const alpha = image.data[from + 3]! / 255;
        const white = 255 * (1 - alpha);
        across[to] = across[to]! + share * (image.data[from]! * alpha + white);
        across[to + 1] = across[to + 1]! + share * (image.data[from + 1]! * alpha + white);
        across[to + 2] = across[to + 2]! + share * (image.data[from + 2]! * alpha + white);
      }
    }
  }
  const stride = width * 3;
  for (let y = 0; y < height; y++) {
    const { first, shares } = rows[y]!;
    for (let i = 0; i < shares.length; i++) {
      const share = shares[i]!;
      const from = (first + i) * stride;
      for (let x = 0; x < stride; x++) data[y * stride + x]! += share * across[from + x]!;
    }
  }
  return { width, height, data };
}

/** For every target pixel, the source pixels it is made of, with shares that add up to 1. */
function weights(source: number, target: number): { first: number; shares: number[] }[] {
  return Array.from({ length: target }, (_, i) =>
    target >= source ? interpolated(source, target, i) : averaged(source, target, i),
  );
}

function interpolated(source: number, target: number, i: number) {
  const at = Math.min(source - 1, Math.max(0, ((i + 0.5) * source) / target - 0.5));
  const first = Math.floor(at);
  const second = at - first;
  return { first, shares: second === 0 ? [1] : [1 - second, second] };
}

function averaged(source: number, target: number, i: number) {
  const from = (i * source) / target;
  const to = ((i + 1) * source) / target;
  const first = Math.floor(from);
  const last = Math.min(source, Math.ceil(to - 1e-9));
  const shares: number[] = [];
  for (let pixel = first; pixel < last; pixel++) {
    shares.push((Math.min(pixel + 1, to) - Math.max(pixel, from)) / (to - from));
  }
  return { first, shares };
}
