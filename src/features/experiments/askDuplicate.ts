import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import type { ExperimentFile } from '../../experiments/format';
import { type Variation, variedValues } from '../../experiments/grid';
import { oneValue, oneValueText, withValue } from '../../experiments/setup/oneValue';
import { headPlace } from '../../experiments/table/columnHead';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';

/**
 * Asks which value of a column is another one in its copy, and for that value. `model`: the user chose the model; `none`:
 * the file varies no place. Undefined: cancelled.
 */
export async function askDuplicate(
  { vary = {}, labels }: Pick<ExperimentFile, 'vary' | 'labels'>,
  variation: Variation,
): Promise<{ readonly pointer: string; readonly values: Json } | 'model' | 'none' | undefined> {
  const places = Object.keys(vary).flatMap((pointer) => {
    const value = variation[pointer];
    return value === undefined ? [] : [{ pointer, value }];
  });
  const items = places.map(({ pointer, value }) => {
    const { name, value: text } = headPlace(pointer, value, labels);
    return { label: name, description: text, pointer, value };
  });
  const [only, ...others] = items;
  if (!only) return 'none';
  const chosen =
    others.length === 0 ? only : await showQuickPick(items, { title: l10n.t('Which value is another one?') });
  if (!chosen) return undefined;
  const { pointer, value, label } = chosen;
  if (pointer === '/model') return 'model';
  const values = variedValues(vary[pointer]!);
  const typed = await showInputBox({
    title: label,
    prompt: l10n.t('The value of the new column'),
    value: oneValueText(value),
    validateInput: (text) =>
      withValue(values, oneValue(text, value)) ? undefined : l10n.t('There is a column with this value.'),
  });
  const next = typed === undefined ? undefined : withValue(values, oneValue(typed, value));
  return next && { pointer, values: next };
}
