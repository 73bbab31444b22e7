import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { segmentsOf } from '../../domain/pointer';
import { sameJson } from '../../domain/value';
import type { HeadPlace } from '../../protocol/experiment';
import { type Labels, labelOf } from '../file/labels';
import type { Variation } from '../plan/grid';
import type { OtherColumn } from './otherResults';
import { shortened } from './outcome';

/** The parts that distinguish a column, and those that all share. */
export interface ColumnTitles {
  /** By column: only places with differing values; all of them when they are all equal. */
  readonly columns: readonly (readonly HeadPlace[])[];
  /** Places with the same value in every column. */
  readonly common: readonly HeadPlace[];
}

/** The columns of a plan, and the names that the file gives to their values. */
interface TitledPlan {
  readonly variations: readonly Variation[];
  readonly labels?: Labels | undefined;
}

export function columnTitles({ variations, labels }: TitledPlan): ColumnTitles {
  const pointers = [...new Set(variations.flatMap((variation) => Object.keys(variation)))];
  const isCommon = (pointer: string) =>
    variations.every((variation) => sameJson(variation[pointer], variations[0]![pointer]));
  const common = variations.length > 1 ? pointers.filter(isCommon) : [];
  const shownPlaces = (variation: Variation, of: readonly string[]) =>
    of.flatMap((pointer) =>
      variation[pointer] === undefined ? [] : [headPlace(pointer, variation[pointer]!, labels)],
    );
  const own = pointers.filter((pointer) => !common.includes(pointer));
  return {
    columns: variations.map((variation) => shownPlaces(variation, own)),
    common: shownPlaces(variations[0] ?? {}, common),
  };
}

export function headPlace(pointer: string, value: Json, labels?: Labels): HeadPlace {
  return { pointer, name: placeName(pointer), value: shortened(labelOf(labels, pointer, value), 80) };
}

/** The short name of a varied place: "options › top_k" of /input/options/top_k. */
export function placeName(pointer: string): string {
  const segments = segmentsOf(pointer);
  return segments.slice(segments.length > 1 ? 1 : 0).join(' › ');
}

/** The name of a column in a sentence or a file: "language-id, top_k 1". */
export function columnName(places: readonly HeadPlace[], index: number): string {
  if (places.length === 0) return l10n.t('Result');
  const parts = places.map(({ pointer, name, value }) => (pointer === '/model' ? value : `${name} ${value}`));
  return parts.join(', ') || l10n.t('Column {0}', index + 1);
}

/** The names of a plan's columns. */
export function columnNames(plan: TitledPlan): string[] {
  return columnTitles(plan).columns.map(columnName);
}

/** The names of all columns of a table, those of other results too. */
export interface TableTitles extends Pick<ColumnTitles, 'common'> {
  readonly columns: readonly {
    readonly name: string;
    readonly places: readonly HeadPlace[];
    /** The results that it is of, and the column that is compared with it. */
    readonly other?: { readonly label: string; readonly own?: number };
  }[];
}

/** @param all variations of the table: those of the experiment, then those of other results */
export function tableTitles(
  own: TitledPlan,
  others: readonly OtherColumn[],
  all: readonly Variation[],
): TableTitles {
  const { columns, common } = columnTitles(own);
  const unpaired = others.filter((other) => other.own === undefined);
  const theirs = columnTitles({
    ...own,
    variations: unpaired.map(({ column }) => all[column]!),
  }).columns;
  return {
    common,
    columns: [
      ...columns.map((places, index) => ({ name: columnName(places, index), places })),
      ...others.map((other) => {
        const { own: pair, column, of } = other;
        const places = pair === undefined ? theirs[unpaired.indexOf(other)]! : columns[pair]!;
        const names = places.length === 0 ? [] : [columnName(places, column)];
        return {
          name: [...names, of.label].join(', '),
          places,
          other: { label: of.label, ...(pair !== undefined && { own: pair }) },
        };
      }),
    ],
  };
}
