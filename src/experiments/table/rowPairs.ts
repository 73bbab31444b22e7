import { isBlank, isLabel } from '../metrics/equality';
import { ignoring } from '../metrics/ignoring';
import { type LabelPair, labelPair } from '../metrics/labels';
import { measuredValue, UNREADABLE } from '../results/measuredValue';
import { columnFault, kindsOf } from './comparedItems';
import { rankedIds } from './hitStrip';
import type { ExperimentTable } from './table';

/** Labels are compared as this metric does. */
const OF_LABELS = { name: 'macro_f1', tolerance: 0 } as const;

/** The expected and got labels of a row's runs in a column, as the table's figures count them. */
export function rowPairs(table: ExperimentTable, row: number, column: number): LabelPair[] {
  const { at, failedIsWrong, ignore = [], ofHits } = table.comparing;
  if (ofHits) return firstHitPairs(table, row, column);
  const expected = ignoring(table.plan.items[row]!.expected, ignore);
  if (isBlank(expected) || !isLabel(expected) || columnFault(table, column, OF_LABELS)) return [];
  return table.runs(row, column).flatMap(({ line }) => {
    if (line?.state === 'finished') {
      const value = measuredValue(line, at);
      return value === UNREADABLE ? [] : labelPair(ignoring(value, ignore), expected, kindsOf(table));
    }
    return line?.state === 'failed' && failedIsWrong ? labelPair(undefined, expected, kindsOf(table)) : [];
  });
}

/** The label of a query, and that of its first hit. */
function firstHitPairs(table: ExperimentTable, row: number, column: number): LabelPair[] {
  const { expected, relevance } = table.plan.items[row]!;
  const { labelOf } = relevance ?? {};
  if (!labelOf) return [];
  return table.runs(row, column).flatMap(({ line }) => {
    if (line?.state !== 'finished') return [];
    const first = rankedIds(table, line).find((id) => !relevance?.isQuery(id));
    return { expected: String(expected), got: first === undefined ? '' : (labelOf(first) ?? '') };
  });
}
