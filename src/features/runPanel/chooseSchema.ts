import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { type ChosenShape, pastedShape, type ShapePart, shapeAt, shapesIn } from '../../contracts/chosen';
import type { ModeContract, Shape } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { createQuickPick, showInputBox, showQuickPick, untilAnswered } from '../../vscode/messages/inputs';

/** Larger ones do not fit the store of small values that they are kept in. */
const MOST_CHARACTERS = 200_000;

interface SchemaItem extends vscode.QuickPickItem {
  readonly answer?: SchemaAnswer | 'paste';
}
export interface SchemaElsewhere {
  readonly environment: string;
  readonly mode: ModeContract;
}
/** `chosen` is undefined: the published schema again. */
interface SchemaAnswer {
  readonly chosen: ChosenShape | undefined;
}

/**
 * Asks for a schema: another part of the model's response, or one that the user has. Undefined: cancelled.
 * @param mode the one that the form shows
 * @param elsewhere the same mode of the model in other environments
 */
export async function chooseSchema(
  raw: unknown,
  mode: ModeContract,
  elsewhere: readonly SchemaElsewhere[],
): Promise<(SchemaAnswer & { readonly part: ShapePart }) | undefined> {
  const part = await choosePart(mode);
  if (part === undefined) return undefined;
  const others = elsewhere.map(
    ({ environment, mode: other }): SchemaItem => ({
      label: l10n.t('Schema of {0}', environment),
      detail: fieldNames(other[part].schema),
      answer: { chosen: { pasted: other[part].schema } },
    }),
  );
  const answer = await choosePlace(raw, mode[part], others);
  if (answer !== 'paste') return answer && { ...answer, part };
  const text = await showInputBox({
    title: title(),
    prompt: l10n.t('JSON Schema, a list of fields, an OpenAPI document, or an example, as JSON'),
    ignoreFocusOut: true,
    validateInput: (typed) => (shapeOfText(typed) === undefined ? notRead(typed) : undefined),
  });
  return text === undefined ? undefined : { part, chosen: { pasted: JSON.parse(text) } };
}

async function choosePart({ input, params }: ModeContract): Promise<ShapePart | undefined> {
  const parts: readonly (vscode.QuickPickItem & { readonly part: ShapePart })[] = [
    { label: l10n.t('Input'), description: input.at ?? '', part: 'input' },
    { label: l10n.t('Parameters'), description: params.at ?? '', part: 'params' },
  ];
  const placeHolder = l10n.t('Choose what the schema describes');
  const picked = await showQuickPick(parts, { title: title(), placeHolder });
  return picked?.part;
}

function title(): string {
  return l10n.t('Use Another Schema');
}

async function choosePlace(
  raw: unknown,
  used: Shape,
  others: readonly SchemaItem[],
): Promise<SchemaAnswer | 'paste' | undefined> {
  const shapes = shapesIn(raw).map(
    ({ at = '', schema }): SchemaItem => ({
      label: at,
      description: at === used.at ? l10n.t('in use') : '',
      detail: fieldNames(schema),
      answer: { chosen: { at } },
    }),
  );
  const paste: SchemaItem = { label: l10n.t('Paste a schema…'), answer: 'paste' };
  const published: SchemaItem = { label: l10n.t('Published schema'), answer: { chosen: undefined } };
  const fixed = [...others, ...(used.chosen === undefined ? [paste] : [paste, published])];
  const picker = createQuickPick<SchemaItem>();
  picker.title = title();
  picker.placeholder = l10n.t('Choose a part of the model’s response, or type its JSON pointer');
  picker.matchOnDetail = true;
  // VS Code gives the panel its focus back after the question before this one: late, that would close it.
  picker.ignoreFocusOut = true;
  const list = () => {
    picker.items = [...fixed, ...shapes, ...typedPlace(raw, picker.value.trim())];
  };
  list();
  return untilAnswered(picker, (resolve) => {
    picker.onDidChangeValue(list);
    picker.onDidAccept(() => {
      const answer = picker.selectedItems[0]?.answer;
      if (answer !== undefined) resolve(answer);
    });
  });
}

/** A place that is not listed: a part of a schema, or an example. */
function typedPlace(raw: unknown, at: string): SchemaItem[] {
  const shape = at.startsWith('/') ? shapeAt(raw, at) : undefined;
  if (shape === undefined) return [];
  return [{ label: at, detail: fieldNames(shape.schema), alwaysShow: true, answer: { chosen: { at } } }];
}

/** The names of a schema's fields, so that people know it again. */
function fieldNames(schema: Shape['schema']): string {
  const { properties, title } = (isObject(schema) ? schema : {}) as UnknownObject;
  if (isObject(properties)) return Object.keys(properties).slice(0, 12).join(', ');
  return typeof title === 'string' ? title : '';
}

function shapeOfText(text: string): Shape | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    return pastedShape(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function notRead(text: string): string {
  if (text.trim() === '') return l10n.t('Paste JSON');
  if (text.length > MOST_CHARACTERS)
    return l10n.t('The schema is too long. Use at most {0} characters.', MOST_CHARACTERS);
  return l10n.t('This is not JSON that describes fields.');
}
