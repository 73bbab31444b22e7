import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { segmentsOf } from '../../domain/pointer';
import { getAt, sameJson } from '../../domain/value';
import { valueText } from '../../domain/words';
import { comparesValues } from '../../experiments/file/askedMetrics';
import type { ExperimentFile, MetricEntry } from '../../experiments/file/format';
import { type Labels, labelOf } from '../../experiments/file/labels';
import { type Variation, variedValues } from '../../experiments/plan/grid';
import { fieldsFor } from '../../experiments/setup/columns';
import {
  checkFrom,
  oneValue,
  oneValueText,
  TYPED_CHECKS,
  type TypedCheck,
  variedFrom,
  variedText,
  withValue,
} from '../../experiments/setup/typedValues';
import { headPlace } from '../../experiments/table/columnHead';
import { groupColumns } from '../../experiments/table/groups';
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
): Promise<VariedPlace | 'model' | 'none' | undefined> {
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

const PROMPTS: Readonly<Record<TypedCheck, () => string>> = {
  matches: () => l10n.t('A regular expression that the text must match, such as {0}', '^[a-z]{3}$'),
  contains: () => l10n.t('A text, item or members that the result must contain, such as {0}', 'eng'),
  equals: () =>
    l10n.t('A text or a value in JSON that the result must equal, such as {0}', '{"label": "eng"}'),
  oneOf: () => l10n.t('The possible values, such as {0}', 'eng, fra'),
  near: () => l10n.t('A number and how far off the result may be, such as {0}', '3 ± 0.1'),
  schema: () => l10n.t('A JSON Schema of the result, such as {0}', '{"type": "object"}'),
  hitsContain: () => l10n.t('IDs that the hits must contain, such as {0}', 'cat.png, dog.png'),
  maxSeconds: () => l10n.t('The most seconds that a run may take, such as {0}', '2'),
  maxCost: () => l10n.t('The most that a run may cost, such as {0}', '0.01'),
};

/** Asks for a check of each run. Undefined: cancelled. */
export async function askCheck(): Promise<Extract<MetricEntry, object> | undefined> {
  const items = TYPED_CHECKS.map((kind) => ({ label: kind, detail: PROMPTS[kind](), check: kind }));
  const chosen = await showQuickPick(items, { title: l10n.t('Check of each run') });
  if (!chosen) return undefined;
  const { check: kind } = chosen;
  const typed = await showInputBox({
    title: kind,
    prompt: PROMPTS[kind](),
    validateInput: (text) => (checkFrom(kind, text) ? undefined : PROMPTS[kind]()),
  });
  const check = typed === undefined ? undefined : checkFrom(kind, typed);
  return check && { check };
}

/**
 * Asks by which column of the inputs figures are grouped: '' for the expected label. Null: cancelled.
 * @param path absolute path of the experiment
 */
export async function askGroup(path: string, experiment: ExperimentFile | undefined): Promise<string | null> {
  if (!experiment) throw new Error(l10n.t('Fix the problems of the experiment first.'));
  const columns = await groupColumns(path, experiment);
  const items = [
    ...(comparesValues(experiment) ? [{ label: l10n.t('Expected label'), column: '' }] : []),
    ...columns.map((column) => ({ label: column, column })),
  ];
  const chosen = await showQuickPick(items, { title: l10n.t('Figures for each value of which column?') });
  return chosen?.column ?? null;
}
