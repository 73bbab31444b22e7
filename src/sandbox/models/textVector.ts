const DIMENSIONS = 512;

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/**
 * A text as a histogram of hashed words and of their three-letter pieces, adding up to 1 (or all zero when
 * there is no letter). Half the L1 distance of two such histograms is the share they do not have in common.
 */
export function textVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  let sum = 0;
  const addPiece = (piece: string, weight: number) => {
    vector[hash(piece) % DIMENSIONS]! += weight;
    sum += weight;
  };
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    addPiece(`=${word}`, 2);
    const padded = `^${word}$`;
    for (let i = 0; i + 3 <= padded.length; i++) addPiece(padded.slice(i, i + 3), 1);
  }
  if (sum > 0) for (let i = 0; i < DIMENSIONS; i++) vector[i]! /= sum;
  return vector;
}

/** The share that two texts have in common: 1 for the same words, 0 for none. */
export const textScore = (distance: number) => Math.max(0, 1 - distance / 2);
