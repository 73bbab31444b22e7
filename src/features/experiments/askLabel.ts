import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import type { Variation } from '../../experiments/grid';
import { type Labels, labelOf } from '../../experiments/labels';
import { headPlace } from '../../experiments/table/columnHead';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';

/** Asks for the name of one of a column's values. Undefined: cancelled, or the column has none. */
export async function askLabel(
  variation: Variation,
  labels: Labels | undefined,
): Promise<{ readonly pointer: string; readonly value: Json; readonly name: string } | undefined> {
  const items = Object.entries(variation).map(([pointer, value]) => {
    const { name, value: text } = headPlace(pointer, value, labels);
    return { label: name, description: text, pointer, value };
  });
  const chosen =
    items.length < 2
      ? items[0]
      : await showQuickPick(items, { title: l10n.t('Which value of the column gets another name?') });
  if (!chosen) return undefined;
  const { pointer, value, label } = chosen;
  const name = await showInputBox({
    title: label,
    prompt: l10n.t('The name of this value in the table; empty: the value itself'),
    value: labelOf(labels, pointer, value),
  });
  return name === undefined ? undefined : { pointer, value, name };
}
