import { colourLayout } from './colourLayout';
import { edgeHistogram, widerHistograms } from './edgeHistogram';
import type { Pixels } from './pixels';
import { resizeOverWhite } from './resize';

/** Every image is brought to this square first. */
const SIDE = 128;

export interface ImageDescriptor {
  readonly colourLayout: Float32Array;
  readonly edgeHistogram: Float32Array;
}

export function describe(image: Pixels): ImageDescriptor {
  const square = resizeOverWhite(image, SIDE, SIDE);
  return { colourLayout: colourLayout(square), edgeHistogram: edgeHistogram(square) };
}

/** Weights of the parts in the L1 distance, found by trying on emoji of two vendors. */
const COLOUR_WEIGHT = 0.06;
const GLOBAL_WEIGHT = 5;

/** The descriptor as one vector whose L1 distances are the sum of the parts' weighted distances. */
export function asVector({ colourLayout: colour, edgeHistogram: local }: ImageDescriptor): Float32Array {
  const { global, regions } = widerHistograms(local);
  const vector = new Float32Array(colour.length + local.length + global.length + regions.length);
  vector.set(colour.map((value) => value * COLOUR_WEIGHT));
  vector.set(local, colour.length);
  vector.set(
    global.map((value) => value * GLOBAL_WEIGHT),
    colour.length + local.length,
  );
  vector.set(regions, colour.length + local.length + global.length);
  return vector;
}

/** L1. */
export function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum;
}

/** 1 for the same image, about 0.5 where unrelated images begin. */
export const scoreOf = (distanceBetween: number) => Math.exp(-distanceBetween / 20);
