import { colourLayout } from './colourLayout';
import { edgeHistogram } from './edgeHistogram';
import type { Pixels } from './image';
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
