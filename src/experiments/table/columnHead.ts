import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { segmentsOf } from '../../domain/pointer';
import { sameJson } from '../../domain/value';
import type { Variation } from '../grid';
import { shortened } from './outcome';

/** A varied place of a column: its short name and its value. */
export interface HeadPlace {
  readonly pointer: string;
  readonly name: string;
  readonly value: string;
}

/** The parts that distinguish a column, and those that all share. */
export interface ColumnTitles {
  /** By column: only places with differing values; all of them when they are all equal. */
  readonly columns: readonly (readonly HeadPlace[])[];
  /** Places with the same value in every column. */
  readonly common: readonly HeadPlace[];
}

export function columnTitles(variations: readonly Variation[]): ColumnTitles {
  const pointers = [...new Set(variations.flatMap((variation) => Object.keys(variation)))];
  const isCommon = (pointer: string) =>
    variations.every((variation) => sameJson(variation[pointer], variations[0]![pointer]));
  const common = variations.length > 1 ? pointers.filter(isCommon) : [];
  const placesOf = (variation: Variation, of: readonly string[]) =>
    of.flatMap((pointer) =>
      variation[pointer] === undefined ? [] : [headPlace(pointer, variation[pointer]!)],
    );
  const own = pointers.filter((pointer) => !common.includes(pointer));
  return {
    columns: variations.map((variation) => placesOf(variation, own)),
    common: placesOf(variations[0] ?? {}, common),
  };
}

function headPlace(pointer: string, value: Json): HeadPlace {
  const segments = segmentsOf(pointer);
  const name = segments.slice(segments.length > 1 ? 1 : 0).join(' › ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { pointer, name, value: shortened(text, 80) };
}

/** The name of a column in a sentence or a file: "language-id, top_k 1". */
export function columnName(places: readonly HeadPlace[], index: number): string {
  if (places.length === 0) return l10n.t('Result');
  const parts = places.map(({ pointer, name, value }) => (pointer === '/model' ? value : `${name} ${value}`));
  return parts.join(', ') || l10n.t('Column {0}', index + 1);
}
