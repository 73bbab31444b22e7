import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { SIGNIFICANT } from '../metrics/decision';
import { isClose } from '../metrics/equality';
import { fisherGreater, holm } from '../metrics/tests';
import { measuredValue, UNREADABLE } from '../results/measuredValue';
import { pText } from '../table/figureTexts';
import type { ExperimentTable } from '../table/table';
import type { GateCheck } from './thresholds';

type Answer = Json | undefined;

/** Answers that differ, of those that can be compared. */
interface Differing {
  readonly differ: number;
  readonly of: number;
}

/**
 * Whether a model's answers are others than before, more often than its answers to one request differ by themselves:
 * first the answers, then whether they are right. Exact tests, corrected for all columns.
 * @param table with the earlier results as further columns: see `tableWith`
 */
export function checkAnswers(table: ExperimentTable, names: readonly string[], locale: string): GateCheck[] {
  const columns = names.flatMap((column, at) => {
    const before = table.plan.others?.pairs.get(at);
    return before === undefined ? [] : { column, ...answersOf(table, at, before) };
  });
  const compared = columns.filter(({ since }) => since.of > 0);
  const values = holm(
    compared.map(({ since, alone }) => fisherGreater([since.differ, since.of], [alone.differ, alone.of])),
  );
  return compared.map(({ column, since, alone }, index) => {
    const p = values[index]!;
    const facts = l10n.t('{0} of {1} answers are equal to those before', since.of - since.differ, since.of);
    const noise =
      alone.of === 0
        ? l10n.t('nothing was sent twice to compare with')
        : l10n.t('sent twice, {0} of {1} are', alone.of - alone.differ, alone.of);
    const passed = p >= SIGNIFICANT;
    return {
      title: l10n.t('answers as before'),
      column,
      passed,
      message: passed
        ? l10n.t('{0}; {1}: no sign of a change ({2})', facts, noise, pText(p, locale))
        : l10n.t('{0}; {1}: unlikely to be chance ({2})', facts, noise, pText(p, locale)),
      figures: { differ: since.differ, n: since.of, differ_alone: alone.differ, n_alone: alone.of, p },
    };
  });
}

/** Answers now against those before, and repeats against the first one of the same time. */
function answersOf(table: ExperimentTable, now: number, before: number) {
  const [since, alone] = [
    { differ: 0, of: 0 },
    { differ: 0, of: 0 },
  ];
  const count = (into: { differ: number; of: number }, pairs: readonly (readonly [Answer, Answer])[]) => {
    into.of += pairs.length;
    into.differ += pairs.filter(([one, other]) => !isSameAnswer(one, other)).length;
  };
  for (let row = 0; row < table.rows; row++) {
    const [own, earlier] = [answersIn(table, row, now), answersIn(table, row, before)];
    if (own.length === 0 || earlier.length === 0) continue;
    count(since, [[own[0], earlier[0]]]);
    for (const [first, ...others] of [own, earlier])
      count(
        alone,
        others.map((other) => [first, other] as const),
      );
  }
  return { since, alone } satisfies Record<string, Differing>;
}

function answersIn(table: ExperimentTable, row: number, column: number): Answer[] {
  return table
    .finished(row, column)
    .map((line) => measuredValue(line, table.at))
    .filter((value) => value !== UNREADABLE);
}

function isSameAnswer(one: Answer, other: Answer): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isClose(one, other, 0);
}
