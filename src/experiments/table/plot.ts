import type { Json } from '../../domain/json';
import { isMediaObject } from '../../domain/media';
import { childPointer } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import { beginning } from '../../domain/words';
import type { PlotAxes, PlotPlace } from '../../protocol/experimentPlot';
import { visibleText } from '../../wording/plainText';
import { type Labels, labelOf } from '../file/labels';
import { readableValue } from '../results/measuredValue';
import { placeName } from './columnHead';
import { jsonLine } from './jsonLine';
import { shortened } from './outcome';
import type { CellRun, ExperimentTable, TablePlan } from './table';

/** The varied places, and by column of the table which value it has of each. */
export function plotAxes({
  variations,
  labels,
}: Pick<TablePlan, 'variations' | 'labels'>): Pick<PlotAxes, 'places' | 'columns'> {
  const pointers = [...new Set(variations.flatMap((variation) => Object.keys(variation)))];
  const values = pointers.map(() => new Map<string, number>());
  const columns = variations.map((variation) =>
    pointers.map((pointer, place) => {
      const known = values[place]!;
      const value = JSON.stringify(variation[pointer] ?? null);
      if (!known.has(value)) known.set(value, known.size);
      return known.get(value)!;
    }),
  );
  const places = pointers.map((pointer, place) => ({
    pointer,
    name: visibleText(placeName(pointer)),
    values: [...values[place]!.keys()].map((value) => valueText(pointer, JSON.parse(value) as Json, labels)),
  }));
  return { places, columns };
}

function valueText(pointer: string, value: Json, labels: Labels | undefined): string {
  if (isMediaObject(value)) return visibleText(shortened(value.filename ?? value.media_ref));
  return visibleText(shortened(labelOf(labels, pointer, value)));
}

/** More texts would hide the plot below them. */
const MOST_FIXED = 4;

/**
 * The texts in the input of a run that all runs send, such as a prompt; those that vary, and media, are left out.
 * @param varied places in the request that columns or rows change
 */
export function fixedTexts(
  input: Json | undefined,
  varied: readonly string[],
): { readonly name: string; readonly text: string }[] {
  const isVaried = (pointer: string) => varied.some((one) => `${pointer}/`.startsWith(`${one}/`));
  const texts: { readonly name: string; readonly text: string }[] = [];
  const collect = (value: Json | undefined, pointer: string): void => {
    if (texts.length === MOST_FIXED || isVaried(pointer) || isMediaObject(value)) return;
    if (typeof value === 'string' && value.trim() !== '')
      texts.push({ name: visibleText(placeName(pointer)), text: visibleText(shortened(value)) });
    else if (isObject(value))
      for (const [name, member] of Object.entries(value)) collect(member, childPointer(pointer, name));
  };
  collect(input, '/input');
  return texts;
}

/** The runs of a cell, or of one of its repeats. */
export function plotRuns(table: ExperimentTable, { row, column, repeat }: PlotPlace): readonly CellRun[] {
  const runs = table.runs(row, column);
  return repeat === undefined ? runs : runs.filter((run) => run.repeat === repeat);
}

/** A text of a cell is shown up to here; the result beside the plot has all of it. */
const LONGEST_WHOLE = 10_000;

/** The text of a cell, up to `LONGEST_WHOLE` characters; empty where it has none. */
export function wholeText(table: ExperimentTable, cell: PlotPlace): string {
  const lines = plotRuns(table, cell).flatMap(({ line }) => line ?? []);
  const line = lines.find(({ state }) => state === 'finished') ?? lines[0];
  if (!line) return '';
  const value =
    line.state === 'finished'
      ? (readableValue(line, table.placeIn(line.variation)) ?? line.result)
      : line.reason;
  if (value === undefined) return '';
  return beginning(typeof value === 'string' ? value : jsonLine(value), LONGEST_WHOLE);
}
