import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { getAt } from '../../domain/value';
import type { ExperimentFile } from '../../experiments/format';
import { fieldsFor } from '../../experiments/setup/columns';
import { variedFrom, variedText } from '../../experiments/setup/variedValues';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';

/** A varied place with its values as the file has them. */
interface VariedPlace {
  readonly pointer: string;
  readonly values: Json;
}

/** Asks which part of the run has a column for each of its values, and for these. Undefined: cancelled. */
export async function askVaried(
  contract: ModelContract,
  { run, vary = {}, over }: ExperimentFile,
): Promise<VariedPlace | 'model' | undefined> {
  const mode = typeof run === 'string' ? undefined : modeOf(contract, run.mode ?? 'execute');
  const fields = mode
    ? fieldsFor(mode).filter(({ pointer }) => !Object.hasOwn(over?.map ?? {}, pointer))
    : [];
  const model = { label: l10n.t('Model…'), description: contract.name, field: undefined, isText: true };
  const items = fields.map((field) => {
    const known = vary[field.pointer];
    const isText = field.kind === 'text';
    return {
      ...{ label: field.label, description: field.pointer, field, isText },
      ...(known && { detail: variedText(known, isText) }),
    };
  });
  const chosen = await showQuickPick([model, ...items], { title: l10n.t('Add columns by another …') });
  if (!chosen) return undefined;
  const { field, isText } = chosen;
  if (!field) return 'model';
  const own = typeof run === 'string' ? undefined : getAt(run as Json, field.pointer);
  const known = vary[field.pointer] ?? (own === undefined ? undefined : [own]);
  const typed = await showInputBox({
    title: field.label,
    prompt: l10n.t(
      'Values separated by commas, a range such as {0}, random numbers such as {1}, or a list in JSON',
      '1 to 5',
      '8 random from 1 to 100 log',
    ),
    ...(known && { value: `${variedText(known, isText)}${Array.isArray(known) ? ', ' : ''}` }),
    validateInput: (text) => (variedFrom(text, isText) ? undefined : l10n.t('Enter at least one value.')),
  });
  const step = field.kind === 'number' ? field.step : undefined;
  const values = typed === undefined ? undefined : variedFrom(typed, isText, step);
  return values && { pointer: field.pointer, values: values as Json };
}
