import { hash } from 'node:crypto';
import { comparableText, isBlank } from '../metrics/equality';
import { itemSha256 } from '../plan/runId';
import type { ExperimentItem } from './items';

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

/** Of inputs that are equal the first: they are run once. In the order of `randomOrder`. */
export function differentItems(items: readonly ExperimentItem[], seed: number): number[] {
  return inputsInOrder(items, seed).map(([first]) => first!);
}

/**
 * Places of the inputs in the order in which all runs are sent, sampled and compared, so that any beginning of it is a
 * fair sample: random, and stratified by the expected value, as tables and folders are often sorted by class. Each value
 * has its share of any beginning, to less than one input (systematic sampling from a random start in each stratum;
 * W. Cochran, "Sampling Techniques", 1977, chapters 5 and 8). Follows from the seed and from the inputs themselves.
 */
export function randomOrder(items: readonly ExperimentItem[], seed: number): number[] {
  return inputsInOrder(items, seed).flat();
}

interface OrderedInput {
  /** Within its stratum. */
  readonly rank: number;
  readonly places: number[];
  /** Among all. */
  turn: number;
}

/** The places of each different input. */
function inputsInOrder(items: readonly ExperimentItem[], seed: number): number[][] {
  const inputs = new Map<string, number[]>();
  for (const [at, item] of items.entries()) {
    const identity = itemSha256(item);
    const places = inputs.get(identity);
    if (places) places.push(at);
    else inputs.set(identity, [at]);
  }
  const strata = new Map<string, OrderedInput[]>();
  for (const [identity, places] of inputs) {
    const stratum = stratumOf(items[places[0]!]!);
    const input = { rank: drawn(identity, seed), places, turn: 0 };
    const others = strata.get(stratum);
    if (others) others.push(input);
    else strata.set(stratum, [input]);
  }
  return [...strata]
    .flatMap(([stratum, own]) => {
      const start = drawn(stratum, seed);
      own.sort((a, b) => a.rank - b.rank);
      for (const [at, input] of own.entries()) input.turn = (at + start) / own.length;
      return own;
    })
    .sort((a, b) => a.turn - b.turn || a.rank - b.rank)
    .map(({ places }) => places);
}

function stratumOf({ expected }: ExperimentItem): string {
  return isBlank(expected) ? '' : (comparableText(expected) ?? JSON.stringify(expected));
}

/** A number from 0 to 1, evenly over all texts, of 48 bits. */
function drawn(text: string, seed: number): number {
  return Number.parseInt(hash('sha256', `${seed} ${text}`).slice(0, 12), 16) / 2 ** 48;
}
