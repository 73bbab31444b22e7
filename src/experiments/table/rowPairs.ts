import { measuredValue, UNREADABLE } from '../measuredValue';
import { isBlank, isLabel } from '../metrics/equality';
import { type LabelPair, labelPair } from '../metrics/labels';
import { columnFault, kindsOf } from './comparedItems';
import type { ExperimentTable } from './table';

/** Labels are compared as this metric does. */
const OF_LABELS = { name: 'macro_f1', tolerance: 0 } as const;

/** The expected and got labels of a row's runs in a column, as the table's figures count them. */
export function rowPairs(table: ExperimentTable, row: number, column: number): LabelPair[] {
  const { expected } = table.plan.items[row]!;
  if (isBlank(expected) || !isLabel(expected) || columnFault(table, column, OF_LABELS)) return [];
  const { at, failedIsWrong } = table.comparing;
  return table.runs(row, column).flatMap(({ line }) => {
    if (line?.state === 'finished') {
      const value = measuredValue(line, at);
      return value === UNREADABLE ? [] : labelPair(value, expected, kindsOf(table));
    }
    return line?.state === 'failed' && failedIsWrong ? labelPair(undefined, expected, kindsOf(table)) : [];
  });
}
