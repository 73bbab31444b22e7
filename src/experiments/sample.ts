import { createHash } from 'node:crypto';
import type { ExperimentFile } from './format';
import type { ExperimentItem } from './items';
import { itemSha256 } from './runId';

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
  const chosen = new Set(
    differentItems(items, seed)
      .slice(0, count)
      .map((at) => identities[at]!),
  );
  return items.filter((_, at) => chosen.has(identities[at]!));
}

/** Places of the inputs in a random order, which follows from the seed and from the inputs themselves. */
export function randomOrder(items: readonly ExperimentItem[], seed: number): number[] {
  const places = items.map((item) => sampleRank(itemSha256(item), seed));
  return [...items.keys()].sort((a, b) => {
    const [one, other] = [places[a]!, places[b]!];
    return one === other ? a - b : one < other ? -1 : 1;
  });
}

/** The same, of equal inputs the first: they are run once. */
export function differentItems(items: readonly ExperimentItem[], seed: number): number[] {
  const known = new Set<string>();
  return randomOrder(items, seed).filter((at) => {
    const { size } = known;
    return known.add(itemSha256(items[at]!)).size > size;
  });
}

function sampleRank(identity: string, seed: number): string {
  return createHash('sha256').update(`${seed} ${identity}`).digest('hex');
}
