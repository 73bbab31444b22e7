import { isObject, type UnknownObject } from '../domain/value';
import { readHits } from './hits';
import { parallelLabels, resultLabels, scoreMap } from './labels';
import type { ResultPart, ResultSection, ViewKind } from './resultView';
import { sampled } from './sampling';
import { resultTable } from './table';
import { textPart } from './text';

/** Views by the pattern of their place: the choices of the user for one model and mode. */
export type ChosenViews = ReadonlyMap<string, ViewKind>;

const kinds: readonly ViewKind[] = ['hits', 'labels', 'text', 'table'];

export function isViewKind(kind: string): kind is ViewKind {
  return kinds.some((one) => one === kind);
}

/** A place without the positions in lists: a choice for one item counts for all of them, in each result. */
export function placePattern(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

/** The value in a view that was chosen for its place; undefined where it does not fit. */
export function partAs(
  kind: ViewKind,
  value: unknown,
  pointer: string,
  key?: string,
): ResultPart | undefined {
  if (!Array.isArray(value) || value.length === 0)
    return kind === 'labels' && isObject(value)
      ? (parallelLabels(value) ?? scoreMap(value, key, true))
      : undefined;
  const items: readonly unknown[] = value;
  const sample = sampled(items);
  if (kind === 'table') return resultTable(items, sample);
  if (kind === 'text')
    return sample.every((item) => typeof item === 'string')
      ? textPart(items.filter((item) => typeof item === 'string').join(''), key)
      : undefined;
  if (!sample.every(isObject)) return undefined;
  const records = items as readonly UnknownObject[];
  return kind === 'hits' ? readHits(records, sample, pointer) : resultLabels(records, sample);
}

/** The section with the views that its value can have, where there are several. */
export function withViews(section: ResultSection, value: unknown): ResultSection {
  const { part, pointer } = section;
  if (!isViewKind(part.kind)) return section;
  const fitting = kinds.filter((kind) => kind === part.kind || partAs(kind, value, pointer) !== undefined);
  return fitting.length < 2 ? section : { ...section, views: fitting };
}
