import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import type { ExperimentFile } from '../../experiments/file/format';
import { type Labels, labelOf } from '../../experiments/file/labels';
import { type Variation, variedValues } from '../../experiments/plan/grid';
import { oneValue, oneValueText, withValue } from '../../experiments/setup/oneValue';
import { headPlace } from '../../experiments/table/columnHead';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';

/** Asks for the name of one of a column's values. Undefined: cancelled, or the column has none. */
export async function askLabel(
  variation: Variation,
  labels: Labels | undefined,
): Promise<{ readonly pointer: string; readonly value: Json; readonly name: string } | undefined> {
  const title = l10n.t('Which value of the column gets another name?');
  const chosen = await chooseValue(variation, labels, title);
  if (!chosen) return undefined;
  const { pointer, value, label } = chosen;
  const name = await showInputBox({
    title: label,
    prompt: l10n.t('The name of this value in the table; empty: the value itself'),
    value: labelOf(labels, pointer, value),
  });
  return name === undefined ? undefined : { pointer, value, name };
}

/**
 * Asks which value of a column is another one in its copy, and for that value. `model`: the user chose the model; `none`:
 * the file varies no place. Undefined: cancelled.
 */
export async function askDuplicate(
  { vary = {}, labels }: Pick<ExperimentFile, 'vary' | 'labels'>,
  variation: Variation,
): Promise<{ readonly pointer: string; readonly values: Json } | 'model' | 'none' | undefined> {
  const places = Object.fromEntries(
    Object.keys(vary).flatMap((pointer) => {
      const value = variation[pointer];
      return value === undefined ? [] : [[pointer, value]];
    }),
  );
  if (Object.keys(places).length === 0) return 'none';
  const chosen = await chooseValue(places, labels, l10n.t('Which value is another one?'));
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

/** Asks for one value of a column that has several. */
async function chooseValue(variation: Variation, labels: Labels | undefined, title: string) {
  const items = Object.entries(variation).map(([pointer, value]) => {
    const { name, value: text } = headPlace(pointer, value, labels);
    return { label: name, description: text, pointer, value };
  });
  return items.length < 2 ? items[0] : showQuickPick(items, { title });
}
