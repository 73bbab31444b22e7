import type { Json } from '../../domain/json';
import { sameJson } from '../../domain/value';
import type { ExperimentFile } from '../file/format';
import { type Variation, variedValues } from '../plan/grid';

/**
 * The values of the varied place without those of one column. Undefined: no single value belongs to that column alone, or it
 * is the last one.
 */
export function withoutColumn(
  vary: ExperimentFile['vary'],
  variation: Variation,
): { readonly pointer: string; readonly values: Json } | undefined {
  const [only, ...others] = Object.entries(vary ?? {});
  if (!only || others.length > 0) return undefined;
  const [pointer, varied] = only;
  const values = variedValues(varied);
  const left = values.filter((value) => !sameJson(value, variation[pointer]));
  return left.length === 0 || left.length === values.length ? undefined : { pointer, values: [...left] };
}
