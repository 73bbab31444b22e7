import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import { firstInexact } from '../../domain/exactNumbers';
import type { Json, JsonObject } from '../../domain/json';
import { isObject } from '../../domain/value';
import type { EnumOption, Field } from '../../forms/fieldTypes';
import { cannotBeExact } from '../../forms/issueMessage';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';
import { type JobParams, shownValue } from './jobParams';

interface ParamRow extends vscode.QuickPickItem {
  readonly field?: Field;
  readonly act?: 'json' | 'done';
}

/** Lets the user set the parameters one after another; each is kept at once. Resolves when they are done. */
export async function askParams(params: JobParams, title: string): Promise<void> {
  for (;;) {
    const problem = params.problemWith(params.values);
    const done: ParamRow = {
      label: l10n.t('Done'),
      iconPath: new vscode.ThemeIcon('check'),
      act: 'done',
    };
    const rows = rowsOf(params);
    // The choice of Enter: missing values come first.
    const chosen = await showQuickPick<ParamRow>(problem === undefined ? [done, ...rows] : [...rows, done], {
      title,
      placeHolder: problem ?? l10n.t('Choose a parameter to set'),
      ignoreFocusOut: true,
    });
    if (!chosen || chosen.act === 'done') return;
    if (chosen.act === 'json') await askAll(params, title);
    else if (chosen.field) await askOne(params, chosen.field);
  }
}

function rowsOf(params: JobParams): ParamRow[] {
  const rows = params.fields.map(
    (field): ParamRow => ({
      label: field.label,
      description: fieldState(field),
      ...(field.description !== undefined && { detail: field.description }),
      field,
    }),
  );
  return [...rows, { label: l10n.t('Edit as JSON…'), iconPath: new vscode.ThemeIcon('json'), act: 'json' }];
}

function fieldState({ value, default: preset, required }: Field): string {
  if (value !== undefined) return shownValue(value);
  if (required) return l10n.t('Required');
  return preset === undefined
    ? l10n.t('Service default')
    : l10n.t('Service default: {0}', shownValue(preset));
}

async function askOne(params: JobParams, field: Field): Promise<void> {
  switch (field.kind) {
    case 'boolean':
      return choose(params, field, [
        { value: true, label: l10n.t('On') },
        { value: false, label: l10n.t('Off') },
      ]);
    case 'enum':
      return choose(params, field, field.options);
    case 'const':
      return choose(params, field, [{ value: field.constant, label: shownValue(field.constant) }]);
    case 'text':
      return enter(params, field, (text) => text);
    case 'number':
    case 'choice':
    case 'json':
    case 'media':
    case 'mediaList':
    case 'stringList':
    case 'array':
    case 'tuple':
    case 'object':
    case 'map':
      return enter(params, field, readJson);
    default:
      return assertNever(field);
  }
}

async function choose(params: JobParams, field: Field, options: readonly EnumOption[]): Promise<void> {
  const rows: (vscode.QuickPickItem & { readonly option?: EnumOption })[] = options.map((option) => ({
    label: option.label,
    ...(option.description !== undefined && { description: option.description }),
    option,
  }));
  if (!field.required) rows.push({ label: l10n.t('Service default') });
  const chosen = await showQuickPick(rows, { title: field.label, ignoreFocusOut: true });
  if (chosen) await params.set(params.with(field.key, chosen.option?.value));
}

/** @throws for text that is no JSON, or has a number that would be sent as another one */
function readJson(text: string): Json {
  const inexact = firstInexact(text);
  if (inexact !== undefined) throw new InexactNumber(cannotBeExact(inexact));
  return JSON.parse(text) as Json;
}

class InexactNumber extends Error {}

/** An empty text leaves the parameter out, unless it is required. */
async function enter(params: JobParams, field: Field, read: (text: string) => Json): Promise<void> {
  const typedValue = (text: string) => (text === '' && !field.required ? undefined : read(text));
  const { value } = field;
  const typed = await showInputBox({
    title: field.label,
    value:
      typeof value === 'string' && field.kind === 'text' ? value : value === undefined ? '' : jsonOf(value),
    prompt:
      field.kind === 'text' || field.kind === 'number'
        ? (field.description ?? '')
        : l10n.t('Enter JSON. {0}', field.description ?? ''),
    placeHolder: field.required ? l10n.t('Required') : l10n.t('Empty: service default'),
    ignoreFocusOut: true,
    validateInput: (text) => paramsProblem(params, () => params.with(field.key, typedValue(text)), field),
  });
  if (typed !== undefined) await params.set(params.with(field.key, typedValue(typed)));
}

async function askAll(params: JobParams, title: string): Promise<void> {
  const read = (text: string): JsonObject => {
    const value = readJson(text === '' ? '{}' : text);
    if (!isObject(value)) throw new Error(l10n.t('Enter a JSON object.'));
    return value as JsonObject;
  };
  const typed = await showInputBox({
    title,
    value: jsonOf(params.values),
    prompt: l10n.t('All parameters as a JSON object'),
    ignoreFocusOut: true,
    validateInput: (text) => paramsProblem(params, () => read(text)),
  });
  if (typed !== undefined) await params.set(read(typed));
}

function paramsProblem(params: JobParams, read: () => JsonObject, field?: Field): string | undefined {
  let values: JsonObject;
  try {
    values = read();
  } catch (error) {
    if (error instanceof InexactNumber) return error.message;
    return field?.kind === 'number'
      ? l10n.t('Enter a number.')
      : l10n.t('This is not valid JSON: {0}', error instanceof Error ? error.message : String(error));
  }
  return params.problemWith(values, field?.pointer);
}

function jsonOf(value: Json): string {
  return JSON.stringify(value);
}
