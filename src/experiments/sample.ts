import { createHash } from 'node:crypto';
import { itemSha256 } from './cellId';
import type { ExperimentFile } from './format';
import type { ExperimentItem } from './items';

/** How many of the inputs, or in files of an earlier version of the single runs, are chosen; missing: all. */
export interface Sample {
  readonly inputs?: number;
  readonly runs?: number;
}

export function sampleIn({ sample }: Pick<ExperimentFile, 'sample'>): Sample {
  return typeof sample === 'number' ? { runs: sample } : (sample ?? {});
}

/**
 * A sample of different inputs, in their order, each with all rows that have it: every variation runs over the same
 * ones. Which they are follows from the seed and from the inputs themselves, so a larger sample keeps those of a
 * smaller one, and an input that is added or removed changes at most one of the others.
 */
export function sampledItems(
  items: readonly ExperimentItem[],
  count: number | undefined,
  seed: number,
): readonly ExperimentItem[] {
  if (count === undefined || count >= items.length) return items;
  const identities = items.map(itemSha256);
  const placed = [...new Set(identities)].map((identity) => ({ identity, place: placeOf(identity, seed) }));
  placed.sort((a, b) => (a.place < b.place ? -1 : 1));
  const chosen = new Set(placed.slice(0, count).map(({ identity }) => identity));
  return items.filter((_, at) => chosen.has(identities[at]!));
}

function placeOf(identity: string, seed: number): string {
  return createHash('sha256').update(`${seed} ${identity}`).digest('hex');
}
