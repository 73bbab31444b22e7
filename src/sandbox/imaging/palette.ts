import type { Rgb } from './image';

export interface Swatch {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** Part of the image, 0 to 1. */
  readonly share: number;
}

/** The commonest colours of an image, at most `count`: k-means over its pixels, started far apart. */
export function paletteOf(image: Rgb, count: number): Swatch[] {
  const pixels = image.data;
  const total = pixels.length / 3;
  let centres = farApart(pixels, count);
  let sizes: number[] = [];
  for (let round = 0; round < 12; round++) {
    const sums = centres.map(() => [0, 0, 0, 0]);
    for (let at = 0; at < pixels.length; at += 3) {
      const sum = sums[nearest(centres, pixels, at).index]!;
      sum[0]! += pixels[at]!;
      sum[1]! += pixels[at + 1]!;
      sum[2]! += pixels[at + 2]!;
      sum[3]! += 1;
    }
    sizes = sums.map((sum) => sum[3]!);
    centres = sums.map(([red, green, blue, size], i) =>
      size === 0 ? centres[i]! : [red! / size!, green! / size!, blue! / size!],
    );
  }
  return centres
    .map(([red, green, blue], i) => ({
      red: Math.round(red!),
      green: Math.round(green!),
      blue: Math.round(blue!),
      share: sizes[i]! / total,
    }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share);
}

/** The first pixel, then always the pixel farthest from those chosen: the same image gives the same start. */
function farApart(pixels: Float32Array, count: number): number[][] {
  const centres = [[pixels[0]!, pixels[1]!, pixels[2]!]];
  while (centres.length < count) {
    let farthest = 0;
    let place = -1;
    for (let at = 0; at < pixels.length; at += 3) {
      const { distance } = nearest(centres, pixels, at);
      if (distance > farthest + 1) {
        farthest = distance;
        place = at;
      }
    }
    if (place < 0) break;
    centres.push([pixels[place]!, pixels[place + 1]!, pixels[place + 2]!]);
  }
  return centres;
}

function nearest(centres: readonly (readonly number[])[], pixels: Float32Array, at: number) {
  let index = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (const [i, centre] of centres.entries()) {
    const apart =
      (centre[0]! - pixels[at]!) ** 2 +
      (centre[1]! - pixels[at + 1]!) ** 2 +
      (centre[2]! - pixels[at + 2]!) ** 2;
    if (apart < distance) {
      distance = apart;
      index = i;
    }
  }
  return { index, distance };
}
