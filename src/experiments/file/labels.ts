import type { Json } from '../../domain/json';
import { ownOf } from '../../domain/value';
import { variedValues } from '../plan/grid';
import type { ExperimentFile } from './format';

/** Names that people give to varied values: place in the request → value as text, other values as JSON → name. */
export type Labels = NonNullable<ExperimentFile['labels']>;

/** The name of a value in `labels` of a place. */
export function valueKey(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The name of a value; without one the value itself. */
export function labelOf(labels: Labels | undefined, pointer: string, value: Json): string {
  const key = valueKey(value);
  return ownOf(ownOf(labels ?? {}, pointer) ?? {}, key) ?? key;
}

/** Places and values with names that no column has. */
export function unusedLabels({ labels = {}, vary = {} }: Pick<ExperimentFile, 'labels' | 'vary'>): {
  readonly pointer: string;
  readonly key?: string;
}[] {
  return Object.entries(labels).flatMap(([pointer, names]) => {
    const varied = ownOf(vary, pointer);
    if (!varied) return [{ pointer }];
    const known = new Set(variedValues(varied).map(valueKey));
    return Object.keys(names).flatMap((key) => (known.has(key) ? [] : [{ pointer, key }]));
  });
}
