import { lumaAt, type Rgb } from './image';

/** Sub-images a side, and edge kinds: vertical, horizontal, 45°, 135°, no direction. */
const SIDE = 4;
const KINDS = 5;

const EDGE_HISTOGRAM_LENGTH = SIDE * SIDE * KINDS;

/**
 * A block has no edge when its strongest filter responds with less than this (of 255); the value of the MPEG-7 model.
 */
const THRESHOLD = 11;

const ROOT2 = Math.SQRT2;

/**
 * MPEG-7 edge histogram: in each of 4 × 4 sub-images, the share of blocks (4 × 4 pixels) whose strongest edge is
 * of each kind. The image's sides must be multiples of 16.
 */
export function edgeHistogram(image: Rgb): Float32Array {
  const histogram = new Float32Array(EDGE_HISTOGRAM_LENGTH);
  const luma = lumaOfHalf(image);
  const width = image.width >> 1;
  const height = image.height >> 1;
  const blocksOfSubImage = (width / 2 / SIDE) * (height / 2 / SIDE);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x;
      const kind = strongestEdge(luma[at]!, luma[at + 1]!, luma[at + width]!, luma[at + width + 1]!);
      if (kind === undefined) continue;
      const subImage = Math.floor((y * SIDE) / height) * SIDE + Math.floor((x * SIDE) / width);
      histogram[subImage * KINDS + kind]! += 1 / blocksOfSubImage;
    }
  }
  return histogram;
}

/** Luma of every 2 × 2 pixels: the quarters of a block. */
function lumaOfHalf({ width, height, data }: Rgb): Float32Array {
  const out = new Float32Array((width >> 1) * (height >> 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      out[(y >> 1) * (width >> 1) + (x >> 1)]! += lumaAt(data, (y * width + x) * 3) / 4;
    }
  }
  return out;
}

function strongestEdge(a: number, b: number, c: number, d: number): number | undefined {
  const strengths = [
    Math.abs(a - b + c - d),
    Math.abs(a + b - c - d),
    ROOT2 * Math.abs(a - d),
    ROOT2 * Math.abs(b - c),
    2 * Math.abs(a - b - c + d),
  ];
  const strongest = Math.max(...strengths);
  return strongest < THRESHOLD ? undefined : strengths.indexOf(strongest);
}
