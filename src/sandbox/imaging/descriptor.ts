import { lumaAt, type Pixels, type Rgb } from './image';
import { resizeOverWhite } from './resize';

/** Every image is brought to this square first. */
const SIDE = 128;

/** The MPEG-7 colour layout and edge histogram of an image. */
export function describe(image: Pixels) {
  const square = resizeOverWhite(image, SIDE, SIDE);
  return { colourLayout: colourLayout(square), edgeHistogram: edgeHistogram(square) };
}

/**
 * Weight of the colours against the edges in the L1 distance. Measured: on 1,081 emoji of two vendors it ranks
 * 52% of the twins first and 75% among ten; the coarser edge histograms that MPEG-7 adds did not improve it.
 */
const COLOUR_WEIGHT = 0.045;

/** The descriptor as one vector: L1 distances are the sum of the parts' weighted distances. */
export function asVector({ colourLayout: colour, edgeHistogram: edges }: ReturnType<typeof describe>) {
  const vector = new Float32Array(colour.length + edges.length);
  vector.set(colour.map((value) => value * COLOUR_WEIGHT));
  vector.set(edges, colour.length);
  return vector;
}

/** L1. */
export function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum;
}

/** 1 for the same image; twins among the emoji lie around 0.6, strangers around 0.3. */
export const scoreOf = (distanceBetween: number) => Math.exp(-distanceBetween / 15);

const GRID = 8;
/** How many coefficients of luma and of each chroma are kept, in zigzag order. */
const LUMA = 10;
const CHROMA = 6;

const COLOUR_LAYOUT_LENGTH = LUMA + 2 * CHROMA;

/** The positions of the first coefficients of a zigzag walk over 8 × 8. */
const ZIGZAG = [0, 1, 8, 16, 9, 2, 3, 10, 17, 24];

/** DCT-II, orthonormal: BASIS[frequency][position]. */
const BASIS = Array.from({ length: GRID }, (_, frequency) =>
  Array.from(
    { length: GRID },
    (_, position) =>
      Math.cos(((2 * position + 1) * frequency * Math.PI) / (2 * GRID)) *
      Math.sqrt((frequency === 0 ? 1 : 2) / GRID),
  ),
);

/**
 * MPEG-7 colour layout: the mean colours of an 8 × 8 grid in Y, Cb, Cr, each through a cosine transform, of which
 * the slowest coefficients are kept. Coefficients are divided by 8, so that the first is the mean (0 to 255).
 */
function colourLayout(image: Rgb): Float32Array {
  const planes = [new Float64Array(64), new Float64Array(64), new Float64Array(64)] as const;
  const counts = new Float64Array(64);
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const cell = Math.floor((y * GRID) / image.height) * GRID + Math.floor((x * GRID) / image.width);
      const at = (y * image.width + x) * 3;
      const [red, green, blue] = [image.data[at]!, image.data[at + 1]!, image.data[at + 2]!];
      counts[cell]! += 1;
      planes[0][cell]! += 0.299 * red + 0.587 * green + 0.114 * blue;
      planes[1][cell]! += 128 - 0.168736 * red - 0.331264 * green + 0.5 * blue;
      planes[2][cell]! += 128 + 0.5 * red - 0.418688 * green - 0.081312 * blue;
    }
  }
  const out = new Float32Array(COLOUR_LAYOUT_LENGTH);
  let next = 0;
  for (const [index, plane] of planes.entries()) {
    for (let cell = 0; cell < 64; cell++) plane[cell]! /= counts[cell]!;
    for (const place of ZIGZAG.slice(0, index === 0 ? LUMA : CHROMA)) {
      out[next++] = coefficient(plane, place >> 3, place & 7) / GRID;
    }
  }
  return out;
}

function coefficient(plane: Float64Array, down: number, across: number): number {
  let sum = 0;
  for (let y = 0; y < GRID; y++) {
    for (let x = 0; x < GRID; x++) sum += plane[y * GRID + x]! * BASIS[down]![y]! * BASIS[across]![x]!;
  }
  return sum;
}

/** Sub-images a side, and edge kinds: vertical, horizontal, 45°, 135°, no direction. */
const SUB_IMAGES = 4;
const KINDS = 5;

const EDGE_HISTOGRAM_LENGTH = SUB_IMAGES * SUB_IMAGES * KINDS;

/**
 * A block has no edge when its strongest filter responds with less than this (of 255); the value of the MPEG-7 model.
 */
const THRESHOLD = 11;

const ROOT2 = Math.SQRT2;

/**
 * MPEG-7 edge histogram: in each of 4 × 4 sub-images, the share of blocks (4 × 4 pixels) whose strongest edge is
 * of each kind. The image's sides must be multiples of 16.
 */
function edgeHistogram(image: Rgb): Float32Array {
  const histogram = new Float32Array(EDGE_HISTOGRAM_LENGTH);
  const luma = lumaOfHalf(image);
  const width = image.width >> 1;
  const height = image.height >> 1;
  const blocksOfSubImage = (width / 2 / SUB_IMAGES) * (height / 2 / SUB_IMAGES);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x;
      const kind = strongestEdge(luma[at]!, luma[at + 1]!, luma[at + width]!, luma[at + width + 1]!);
      if (kind === undefined) continue;
      const subImage =
        Math.floor((y * SUB_IMAGES) / height) * SUB_IMAGES + Math.floor((x * SUB_IMAGES) / width);
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
