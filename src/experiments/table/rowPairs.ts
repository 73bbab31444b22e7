import { measuredValue, readableValue, UNREADABLE } from '../measuredValue';
import { isBlank, isLabel, kindsIn, type OtherKinds } from '../metrics/equality';
import { type LabelPair, labelPair } from '../metrics/labels';
import type { ExperimentTable } from './table';

const kinds = new WeakMap<ExperimentTable, OtherKinds>();

/** What the results of a table are, which texts are read as: the same in all columns. */
export function kindsOf(table: ExperimentTable): OtherKinds {
  const known = kinds.get(table);
  if (known) return known;
  const lines = table.plan.cells.flatMap(({ customId }) => table.results.get(customId) ?? []);
  const finished = lines.filter(({ state }) => state === 'finished');
  const found = kindsIn(finished.map((line) => readableValue(line, table.at)));
  kinds.set(table, found);
  return found;
}

/** The expected and got labels of a row's runs in a column, as the table's figures count them. */
export function rowPairs(table: ExperimentTable, row: number, column: number): LabelPair[] {
  const { expected } = table.plan.items[row]!;
  if (isBlank(expected) || !isLabel(expected)) return [];
  const { at, failedIsWrong } = table.comparing;
  return table.runs(row, column).flatMap(({ line }) => {
    if (line?.state === 'finished') {
      const value = measuredValue(line, at);
      return value === UNREADABLE ? [] : labelPair(value, expected, kindsOf(table));
    }
    return line?.state === 'failed' && failedIsWrong ? labelPair(undefined, expected, kindsOf(table)) : [];
  });
}
