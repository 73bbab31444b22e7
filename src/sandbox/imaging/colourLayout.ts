import type { Rgb } from './image';

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
export function colourLayout(image: Rgb): Float32Array {
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
