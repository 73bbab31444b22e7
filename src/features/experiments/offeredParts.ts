import { readableValue } from '../../experiments/results/measuredValue';
import { comparedPlaces } from '../../experiments/setup/columns';
import { jsonLine } from '../../experiments/table/jsonLine';
import { shortened } from '../../experiments/table/outcome';
import type { CellDetail } from '../../protocol/experiment';
import { visibleText } from '../../wording/plainText';
import type { ShownTable } from './shownTable';

/** More values of one result are not useful to choose from. */
const MOST_PARTS = 30;
const LONGEST_VALUE = 60;

/** The values in the result of a cell that can be compared with the expected ones, by a click. */
export function offeredParts(
  { source: { experiment, table } }: ShownTable,
  { row, column }: { readonly row: number; readonly column: number },
): CellDetail['compare'] {
  const expected = experiment?.expected;
  const variation = table.plan.variations[column];
  if (!expected || 'judged' in expected || !variation || table.isOther(column)) return undefined;
  const line = table.finished(row, column)[0];
  const { '/model': model } = variation;
  const parts = comparedPlaces(line?.result)
    .slice(0, MOST_PARTS)
    .map((at) => {
      const value = (line && readableValue(line, at)) ?? null;
      const text = typeof value === 'string' ? value : jsonLine(value);
      return { at, value: visibleText(shortened(text, LONGEST_VALUE)) };
    });
  if (parts.length === 0) return undefined;
  return { ...(typeof model === 'string' && { model }), at: table.placeIn(variation), parts };
}
