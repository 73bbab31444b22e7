import * as l10n from '@vscode/l10n';
import { segmentsOf } from '../../domain/pointer';
import { formatNumber } from '../../wording/number';
import type { ExperimentFile } from '../format';
import { valuesOf } from '../grid';

/**
 * What a grid means: "3 models × 4 values × 50 files × 2 repeats = 1,200 runs".
 * @param runs those of the plan; fewer than the product where a sample is drawn or cells ask for the same
 */
export function sizeText(
  { vary = {}, over, repeats = 1, sample }: Pick<ExperimentFile, 'vary' | 'over' | 'repeats' | 'sample'>,
  items: number,
  runs: number,
  locale?: string,
): string {
  const number = (value: number) => formatNumber(value, locale);
  const others = Object.keys(vary).filter((pointer) => pointer !== '/model');
  const factors = Object.entries(vary).map(([pointer, values]) => {
    const count = valuesOf(values).length;
    if (pointer === '/model') return count === 1 ? l10n.t('1 model') : l10n.t('{0} models', number(count));
    if (others.length > 1)
      return l10n.t('{0} values of {1}', number(count), segmentsOf(pointer).at(-1) ?? '');
    return count === 1 ? l10n.t('1 value') : l10n.t('{0} values', number(count));
  });
  if (over) factors.push(itemsText('rows' in over, items, number));
  if (repeats > 1) factors.push(l10n.t('{0} repeats', number(repeats)));
  const total = runs === 1 ? l10n.t('1 run') : l10n.t('{0} runs', number(runs));
  if (factors.length === 0) return total;
  return sample === undefined
    ? l10n.t('{0} = {1}', factors.join(' × '), total)
    : l10n.t('{0}, of which a sample of {1}', factors.join(' × '), total);
}

function itemsText(isRows: boolean, items: number, number: (value: number) => string): string {
  if (isRows) return items === 1 ? l10n.t('1 row') : l10n.t('{0} rows', number(items));
  return items === 1 ? l10n.t('1 file') : l10n.t('{0} files', number(items));
}
