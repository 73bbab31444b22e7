import type { Json } from '../../domain/json';
import { countEach } from '../../domain/many';
import type { ShownConfusion } from '../../protocol/experiment';
import { isLabel, isSame, type Label, labelKey, labelsIn, type OtherKinds } from './equality';

/** Label metrics, as scikit-learn defines them (sklearn.metrics: accuracy_score, f1_score, confusion_matrix). */

/**
 * A pair of labels of one item. An item with a set of labels has a pair for each: with `''` for one that was not got,
 * and for one that was not expected.
 */
export interface LabelPair {
  readonly expected: string;
  readonly got: string;
  /** The part of its item: repeats of an item count one together. */
  readonly weight?: number;
}

const NO_LABEL = '';

/**
 * The labels of a result and of its expected value, each as one text for one class.
 * @param kinds the kinds of the results of all compared columns: "1.0" and "1" are one class where results are
 * numbers
 */
export function labelPair(got: Json | undefined, expected: Label, kinds: OtherKinds): LabelPair {
  const wanted = labelKey(expected, kinds).slice(1);
  if (!isLabel(got)) return { expected: wanted, got: NO_LABEL };
  if (isSame(got, expected)) return { expected: wanted, got: wanted };
  const own = labelKey(got).slice(1);
  // The text "1" where the number 1 is expected, say: told apart as JSON tells them.
  return { expected: wanted, got: own === wanted ? JSON.stringify(got) : own };
}

/** The pairs of a set of labels. */
export function setPairs(
  got: Json | undefined,
  expected: readonly Label[],
  kinds: OtherKinds,
): readonly LabelPair[] {
  const keys = (labels: readonly Label[]) => new Set(labels.map((label) => labelKey(label, kinds).slice(1)));
  const wanted = keys(expected);
  const own = keys(labelsIn(got) ?? []);
  return [
    ...[...wanted].map((label) => ({ expected: label, got: own.has(label) ? label : NO_LABEL })),
    ...[...own].flatMap((label) => (wanted.has(label) ? [] : { expected: NO_LABEL, got: label })),
  ];
}

/** Counts each pair of expected and got label. @param most labels: those that occur most, all of them by default */
export function confusionMatrix(
  pairs: readonly LabelPair[],
  most = Number.POSITIVE_INFINITY,
): ShownConfusion {
  const seen = countEach(pairs.flatMap(({ expected, got }) => [expected, got]));
  // A matrix of all labels of a hostile table would fill the memory before the most frequent ones are known.
  const labels = mostFrequent(seen, most).sort(byCodePoint);
  const place = new Map(labels.map((label, index) => [label, index]));
  const counts = labels.map(() => labels.map(() => 0));
  for (const { expected, got } of pairs) {
    const [row, column] = [place.get(expected), place.get(got)];
    if (row !== undefined && column !== undefined) counts[row]![column]! += 1;
  }
  return { labels, counts, total: seen.size };
}

/** The labels that occur most, the first by code point of those that occur as often. @param most a few, or all */
function mostFrequent(seen: ReadonlyMap<string, number>, most: number): string[] {
  if (seen.size <= most) return [...seen.keys()];
  // Sorting all of a hostile table takes a second.
  const kept: (readonly [label: string, count: number])[] = [];
  for (const one of seen) {
    const [label, count] = one;
    const at =
      kept.findLastIndex(
        ([other, more]) => more > count || (more === count && byCodePoint(other, label) < 0),
      ) + 1;
    if (at >= most) continue;
    kept.splice(at, 0, one);
    if (kept.length > most) kept.pop();
  }
  return kept.map(([label]) => label);
}

/**
 * F1 of labels, as rows are added, taken out and exchanged one by one. Macro F1 is the mean of the F1 scores of all labels
 * that are expected, each with the same weight: other labels that were got are misses of the expected one, and no class of
 * their own. Micro F1 is the score of all labels together, also of those that are never expected: they are one class.
 */
export class LabelF1 {
  /** Where the pairs of each item begin, and where the last ones end; flat, for a hundred thousand items. */
  readonly #starts: Uint32Array;
  /** Of each pair: the classes of the expected and the got label, or -1; its weight, and that where both are the same. */
  readonly #expected: Int32Array;
  readonly #got: Int32Array;
  readonly #weights: Float64Array;
  readonly #same: Float64Array;
  readonly #right: Float64Array;
  /** How often a label is expected, and got: the denominator of its F1 score. */
  readonly #seen: Float64Array;

  /**
   * @param items the pairs of each item
   * @param numbers of the labels that are expected
   */
  constructor(items: readonly (readonly LabelPair[])[], numbers = labelNumbers(items), isMicro = false) {
    const classOf = (label: string) => {
      if (label === NO_LABEL) return -1;
      return isMicro ? 0 : (numbers.get(label) ?? -1);
    };
    this.#seen = new Float64Array(isMicro ? 1 : numbers.size);
    this.#right = new Float64Array(this.#seen.length);
    this.#starts = new Uint32Array(items.length + 1);
    for (const [at, { length }] of items.entries()) this.#starts[at + 1] = this.#starts[at]! + length;
    const pairs = this.#starts[items.length]!;
    this.#expected = new Int32Array(pairs);
    this.#got = new Int32Array(pairs);
    this.#weights = new Float64Array(pairs);
    this.#same = new Float64Array(pairs);
    let at = 0;
    for (const own of items)
      for (const { expected, got, weight = 1 } of own) {
        this.#expected[at] = classOf(expected);
        this.#got[at] = classOf(got);
        this.#same[at] = got === expected ? weight : 0;
        this.#weights[at++] = weight;
      }
    for (let item = 0; item < items.length; item++) this.add(item, 1);
  }

  /** @param sign 1 adds an item, -1 takes it out */
  add(item: number, sign: 1 | -1): void {
    for (let at = this.#starts[item]!; at < this.#starts[item + 1]!; at++) {
      const [expected, got, weight] = [this.#expected[at]!, this.#got[at]!, this.#weights[at]!];
      if (got >= 0) this.#seen[got]! += sign * weight;
      if (expected < 0) continue;
      this.#seen[expected]! += sign * weight;
      this.#right[expected]! += sign * this.#same[at]!;
    }
  }

  /** Of these labels, or of all: a label that is never right has 0. */
  sum(labels: readonly number[] = Array.from(this.#seen.keys())): number {
    let sum = 0;
    for (const label of labels)
      if (this.#seen[label]! > 1e-9) sum += (2 * this.#right[label]!) / this.#seen[label]!;
    return sum;
  }

  get value(): number {
    return this.sum() / this.#seen.length;
  }

  /** The labels of an item, each once. */
  labelsOf(item: number): number[] {
    const labels: number[] = [];
    for (let at = this.#starts[item]!; at < this.#starts[item + 1]!; at++)
      for (const label of [this.#expected[at]!, this.#got[at]!])
        if (label >= 0 && !labels.includes(label)) labels.push(label);
    return labels;
  }

  /** The value without each item, the label set unchanged. */
  withoutEach(): number[] {
    const own = Array.from({ length: this.#starts.length - 1 }, (_, item) => {
      const labels = this.labelsOf(item);
      const before = this.sum(labels);
      this.add(item, -1);
      const after = this.sum(labels);
      this.add(item, 1);
      return after - before;
    });
    const { value } = this;
    return own.map((change) => value + change / this.#seen.length);
  }
}

/** Each expected label by its number. */
export function labelNumbers(items: readonly (readonly LabelPair[])[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const pairs of items)
    for (const { expected } of pairs)
      if (expected !== NO_LABEL && !numbers.has(expected)) numbers.set(expected, numbers.size);
  return numbers;
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
