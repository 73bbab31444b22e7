import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { segmentsOf } from '../../domain/pointer';
import { getAt, sameJson } from '../../domain/value';
import { valueText } from '../../domain/words';
import type { ExperimentFile } from '../../experiments/file/format';
import { fieldsFor } from '../../experiments/setup/columns';
import { variedFrom, variedText } from '../../experiments/setup/variedValues';
import type { Field } from '../../forms/fieldTypes';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';

interface VariedPlace {
  readonly pointer: string;
  readonly values: Json;
}

/**
 * Asks which part of the run has a column for each of its values, and for these. Undefined: cancelled.
 * @param pointer of that part, when it is known
 */
export async function askVaried(
  contract: ModelContract,
  experiment: ExperimentFile,
  pointer?: string,
): Promise<VariedPlace | 'model' | undefined> {
  const { run, vary = {}, over } = experiment;
  const mode = typeof run === 'string' ? undefined : modeOf(contract, run.mode ?? 'execute');
  const fields = mode
    ? fieldsFor(mode).filter((field) => !Object.hasOwn(over?.map ?? {}, field.pointer))
    : [];
  if (pointer !== undefined) {
    const field = fields.find((one) => one.pointer === pointer);
    return askValues(
      experiment,
      field ?? { kind: 'other', pointer, label: segmentsOf(pointer).at(-1) ?? pointer },
    );
  }
  const model = { label: l10n.t('Model…'), description: contract.name, field: undefined, isText: true };
  const items = fields.map((field) => {
    const known = vary[field.pointer];
    const isText = field.kind === 'text';
    return {
      label: field.label,
      description: field.pointer,
      field,
      isText,
      ...(known && { detail: variedText(known, isText) }),
    };
  });
  const chosen = await showQuickPick([model, ...items], { title: l10n.t('Add columns by another …') });
  if (!chosen) return undefined;
  return chosen.field ? askValues(experiment, chosen.field) : 'model';
}

/** A table cannot fill the fields of objects and the scope. */
type VariedField = Field | { readonly kind: 'other'; readonly pointer: string; readonly label: string };

/** The options of a choice are ticked; other values are typed. */
async function askValues(
  { run, vary = {} }: ExperimentFile,
  field: VariedField,
): Promise<VariedPlace | undefined> {
  const { pointer } = field;
  const isText = field.kind === 'text' || pointer === '/scope';
  const own = typeof run === 'string' ? undefined : getAt(run as Json, pointer);
  const known = vary[pointer] ?? (own === undefined ? undefined : [own]);
  const options = optionsOf(field);
  if (options) {
    const isPicked = (value: Json) =>
      !vary[pointer] || (Array.isArray(known) && known.some((one) => sameJson(one, value)));
    const ticked = await showQuickPick(
      options.map((value) => ({ label: valueText(value), picked: isPicked(value), value })),
      { title: field.label, canPickMany: true },
    );
    return ticked?.length ? { pointer, values: ticked.map(({ value }) => value) } : undefined;
  }
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
  return values && { pointer, values: values as Json };
}

/** More are found faster by typing them. */
const MOST_TICKED = 50;

function optionsOf(field: VariedField): readonly Json[] | undefined {
  if (field.kind === 'boolean') return [true, false];
  if (field.kind !== 'enum' || field.options.length > MOST_TICKED) return undefined;
  return field.options.map(({ value }) => value);
}
