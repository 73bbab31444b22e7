import * as l10n from '@vscode/l10n';
import { segmentsOf } from '../../domain/pointer';
import { formatNumber } from '../../wording/number';
import type { ExperimentFile } from '../file/format';
import { variedValues } from '../plan/grid';

export interface InputCounts {
  /** Rows or files. */
  readonly all: number;
  /** Those of a sample. */
  readonly sampled: number;
}

/**
 * The size of a grid: "3 models × 4 values × 50 files × 2 repeats = 1,200 runs", "2 models × 10 of 60 rows = 20
 * runs".
 * @param runs those of the plan; fewer than the product where cells ask for the same
 */
export function sizeText(
  { vary = {}, over, repeats = 1 }: Pick<ExperimentFile, 'vary' | 'over' | 'repeats'>,
  { all, sampled }: InputCounts,
  runs: number,
  locale?: string,
): string {
  const number = (value: number) => formatNumber(value, locale);
  const others = Object.keys(vary).filter((pointer) => pointer !== '/model');
  const counts = Object.values(vary).map((values) => variedValues(values).length);
  const factors = Object.keys(vary).map((pointer, at) => {
    const count = counts[at]!;
    if (pointer === '/model') return count === 1 ? l10n.t('1 model') : l10n.t('{0} models', number(count));
    if (others.length > 1)
      return l10n.t('{0} values of {1}', number(count), segmentsOf(pointer).at(-1) ?? '');
    return count === 1 ? l10n.t('1 value') : l10n.t('{0} values', number(count));
  });
  if (over) factors.push(itemsText('rows' in over, all, sampled, number));
  if (repeats > 1) factors.push(l10n.t('{0} repeats', number(repeats)));
  const total = runs === 1 ? l10n.t('1 run') : l10n.t('{0} runs', number(runs));
  if (factors.length === 0) return total;
  const product = counts.reduce((one, other) => one * other, sampled * repeats);
  return runs < product
    ? l10n.t('{0} = {1}, since equal ones are run once', factors.join(' × '), total)
    : l10n.t('{0} = {1}', factors.join(' × '), total);
}

function itemsText(isRows: boolean, all: number, sampled: number, number: (value: number) => string): string {
  if (sampled < all)
    return isRows
      ? l10n.t('{0} of {1} rows', number(sampled), number(all))
      : l10n.t('{0} of {1} files', number(sampled), number(all));
  if (isRows) return all === 1 ? l10n.t('1 row') : l10n.t('{0} rows', number(all));
  return all === 1 ? l10n.t('1 file') : l10n.t('{0} files', number(all));
}
