/** Label metrics, as scikit-learn defines them (sklearn.metrics: accuracy_score, f1_score, confusion_matrix). */

/** A pair of labels of one item. */
export interface LabelPair {
  readonly expected: string;
  readonly got: string;
}

export interface ConfusionMatrix {
  /** Every label that is expected or got, in code point order. */
  readonly labels: readonly string[];
  /** `counts[i][j]`: items whose expected label is `labels[i]` and whose got label is `labels[j]`. */
  readonly counts: readonly (readonly number[])[];
}

/** Counts each pair of expected and got label. */
export function confusionMatrix(pairs: readonly LabelPair[]): ConfusionMatrix {
  const labels = [...new Set(pairs.flatMap(({ expected, got }) => [expected, got]))].sort(byCodePoint);
  const place = new Map(labels.map((label, index) => [label, index]));
  const counts = labels.map(() => labels.map(() => 0));
  for (const { expected, got } of pairs) counts[place.get(expected)!]![place.get(got)!]! += 1;
  return { labels, counts };
}

/** Mean of the F1 scores of all labels, each with the same weight; a label that is never right has 0. NaN without pairs. */
export function macroF1(pairs: readonly LabelPair[]): number {
  const { encode, score } = f1Scorer(pairs);
  return score([encode(pairs)]);
}

/** Pairs of label numbers, one after the other: expected, got, expected, got … */
export type EncodedPairs = Int32Array;

/**
 * Macro F1 for many samples of the same pairs, as a bootstrap takes them: labels become numbers once.
 * @param all every pair that a sample may hold
 */
export function f1Scorer(all: readonly LabelPair[]) {
  const labels = new Map<string, number>();
  const numberOf = (label: string) => {
    if (!labels.has(label)) labels.set(label, labels.size);
    return labels.get(label)!;
  };
  for (const { expected, got } of all) [expected, got].forEach(numberOf);
  const encode = (pairs: readonly LabelPair[]): EncodedPairs =>
    Int32Array.from(pairs.flatMap(({ expected, got }) => [numberOf(expected), numberOf(got)]));
  const right = new Float64Array(labels.size);
  const seen = new Float64Array(labels.size);
  const score = (sample: readonly EncodedPairs[]): number => {
    right.fill(0);
    // How often a label is expected, and got: the denominator of its F1 score.
    seen.fill(0);
    for (const pairs of sample)
      for (let at = 0; at < pairs.length; at += 2) {
        const [expected, got] = [pairs[at]!, pairs[at + 1]!];
        seen[expected]! += 1;
        seen[got]! += 1;
        if (expected === got) right[expected]! += 1;
      }
    let total = 0;
    let count = 0;
    for (let label = 0; label < seen.length; label++) {
      if (seen[label] === 0) continue;
      count += 1;
      total += (2 * right[label]!) / seen[label]!;
    }
    return total / count;
  };
  return { encode, score };
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
