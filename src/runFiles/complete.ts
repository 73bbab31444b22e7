import * as l10n from '@vscode/l10n';
import { getLocation } from 'jsonc-parser';
import { type ModeContract, type ModelContract, type ModelSummary, modeOf } from '../domain/model';
import { pointerOf, segmentsOf } from '../domain/pointer';
import { isObject } from '../domain/value';
import {
  type Completion,
  hoverAt,
  memberNames,
  nameCompletions,
  valueCompletions,
} from '../forms/completion';
import { formatPrice } from '../wording/money';
import { isInPayload, modeNameIn, type ReadRunFile } from './read';
import { nodeAt, type TextSpan } from './text';

/** Data that is known without asking the service. */
export interface CompletionFacts {
  readonly models: readonly ModelSummary[];
  /** Of the file's model. */
  readonly contract: ModelContract | undefined;
  readonly environments: readonly string[];
  /** Scopes with data of the file's model. */
  readonly scopes: readonly string[];
  readonly locale?: string;
}

export interface Completions {
  /** The place that an item replaces. */
  readonly place: TextSpan;
  /** Names of members bring a value with them. */
  readonly kind: 'name' | 'value';
  readonly items: readonly Completion[];
  /** More would fit than are given: ask again when more has been typed. */
  readonly isIncomplete: boolean;
}

/** Items in one list: a list of thousands crosses to the window slowly, and is too long to read. */
const MOST_ITEMS = 300;

/**
 * The completions at an offset: known models, modes, scopes and environments, and the contract's input and
 * parameters. The members of the file itself are completed by its JSON schema.
 */
export function completeAt(
  file: ReadRunFile,
  offset: number,
  known: CompletionFacts,
): Completions | undefined {
  const { path, isAtPropertyKey, previousNode } = getLocation(file.text, offset);
  const typed = previousNode && isTouching(previousNode, offset) ? previousNode : undefined;
  const place = typed ? { offset: typed.offset, length: typed.length } : { offset, length: 0 };
  const [top] = path;
  if (isAtPropertyKey) {
    if (!isInPayload(pointerOf(path))) return undefined;
    const hasValue = /^\s*:/.test(file.text.slice(place.offset + place.length));
    const items = namesAt(file, pointerOf(path.slice(0, -1)), known.contract);
    return {
      place,
      kind: 'name',
      isIncomplete: false,
      items: hasValue ? items.map((item) => ({ ...item, insert: JSON.stringify(item.label) })) : items,
    };
  }
  const text = (typed?.type === 'string' ? String(typed.value) : '').toLowerCase();
  const completions =
    path.length === 1 ? topValues(String(top), text, file, known) : payloadValues(file, path, known);
  if (!completions) return undefined;
  return {
    place,
    kind: 'value',
    items: completions.slice(0, MOST_ITEMS),
    isIncomplete: completions.length > MOST_ITEMS,
  };
}

/** Whether an offset is in the value of `scope`, for which alone the scopes with data are looked up. */
export function isInScope(file: ReadRunFile, offset: number): boolean {
  return getLocation(file.text, offset).path[0] === 'scope';
}

/** The service's facts about the value at an offset. */
export function hoverIn(
  file: ReadRunFile,
  offset: number,
  known: CompletionFacts,
): { readonly place: TextSpan; readonly text: string } | undefined {
  const { path, previousNode } = getLocation(file.text, offset);
  const pointer = pointerOf(path);
  if (!previousNode || !isTouching(previousNode, offset)) return undefined;
  const place = { offset: previousNode.offset, length: previousNode.length };
  const text = isInPayload(pointer)
    ? payloadHover(file, pointer, known.contract)
    : topHover(pointer, file, known);
  return text === undefined ? undefined : { place, text };
}

/** The names of members of input or parameters that can be added to the object at a pointer of the file. */
export function namesAt(
  file: ReadRunFile,
  pointer: string,
  contract: ModelContract | undefined,
): readonly Completion[] {
  const part = payloadAt(file, pointer, contract);
  return part ? nameCompletions(part.schema, part.value, part.pointer) : [];
}

/** All names that the contract has for members of the object at a pointer, those that are there among them. */
export function knownNamesAt(
  file: ReadRunFile,
  pointer: string,
  contract: ModelContract | undefined,
): readonly string[] {
  const part = payloadAt(file, pointer, contract);
  return part ? memberNames(part.schema, part.value, part.pointer) : [];
}

function modeIn(file: ReadRunFile, contract: ModelContract | undefined): ModeContract | undefined {
  return contract && modeOf(contract, modeNameIn(file));
}

function isTouching({ offset, length }: TextSpan, at: number): boolean {
  return offset <= at && at <= offset + length;
}

function payloadAt(file: ReadRunFile, pointer: string, contract: ModelContract | undefined) {
  const [top, ...path] = segmentsOf(pointer);
  const mode = modeIn(file, contract);
  if (!mode || (top !== 'input' && top !== 'params')) return undefined;
  const value = file.members?.[top];
  return { schema: mode[top].schema, value, pointer: pointerOf(path) };
}

function payloadValues(
  file: ReadRunFile,
  path: readonly (string | number)[],
  { contract }: CompletionFacts,
): readonly Completion[] | undefined {
  const part = payloadAt(file, pointerOf(path), contract);
  return part && valueCompletions(part.schema, part.value, part.pointer);
}

function payloadHover(
  file: ReadRunFile,
  pointer: string,
  contract: ModelContract | undefined,
): string | undefined {
  const part = payloadAt(file, pointer, contract);
  return part && part.pointer !== '' ? hoverAt(part.schema, part.value, part.pointer) : undefined;
}

function topValues(
  field: string,
  typed: string,
  file: ReadRunFile,
  { models, contract, environments, scopes, locale }: CompletionFacts,
): readonly Completion[] | undefined {
  switch (field) {
    case 'model':
      return modelsLike(models, typed).map((model) => ({
        ...stringItem(model.slug, [
          model.name === model.slug ? '' : model.name,
          formatPrice(model.price, locale) ?? '',
        ]),
        ...(model.description !== undefined && { documentation: model.description }),
      }));
    case 'mode':
      return contract?.modes.map((mode) => ({
        ...stringItem(mode.name, [mode.title ?? '', mode.vectorBacked ? l10n.t('needs a scope') : '']),
        ...(mode.description !== undefined && { documentation: mode.description }),
      }));
    case 'scope':
      return [...new Set([...scopes, 'playground'])].map((scope) => stringItem(scope, []));
    case 'environment':
      return environments.map((name) => stringItem(name, []));
    case 'input':
    case 'params': {
      const part = payloadAt(file, `/${field}`, contract);
      return part && isObject(part.value) ? undefined : part && valueCompletions(part.schema, undefined, '');
    }
    default:
      return undefined;
  }
}

/**
 * Models with the typed text in their slug or name, those that begin with it first; one more than are shown, if there
 * are.
 */
function modelsLike(models: readonly ModelSummary[], typed: string): readonly ModelSummary[] {
  const begin: ModelSummary[] = [];
  const others: ModelSummary[] = [];
  for (const model of models) {
    const slug = model.slug.toLowerCase();
    if (slug.startsWith(typed)) begin.push(model);
    else if (slug.includes(typed) || model.name.toLowerCase().includes(typed)) others.push(model);
    if (begin.length > MOST_ITEMS) break;
  }
  // Texts and prices are made only for shown items: that takes longer than the whole search.
  return [...begin, ...others].slice(0, MOST_ITEMS + 1);
}

function stringItem(value: string, details: readonly string[]): Completion {
  const detail = details.filter(Boolean).join(' · ');
  return { label: value, insert: JSON.stringify(value), ...(detail !== '' && { detail }) };
}

function topHover(
  pointer: string,
  file: ReadRunFile,
  { models, contract, locale }: CompletionFacts,
): string | undefined {
  if (pointer === '/model') {
    const slug = nodeAt(file.root, '/model')?.value;
    const model = contract ?? models.find((one) => one.slug === slug);
    if (!model) return undefined;
    const price = formatPrice(model.price, locale);
    return [`**${escaped(model.name)}**`, model.description ?? '', price ? escaped(price) : '']
      .filter(Boolean)
      .join('\n\n');
  }
  const mode = pointer === '/mode' ? modeIn(file, contract) : undefined;
  if (!mode) return undefined;
  return [`**${escaped(mode.title ?? mode.name)}**`, mode.description ?? ''].filter(Boolean).join('\n\n');
}

function escaped(text: string): string {
  return text.replace(/[*_`[\]<>\\]/g, '\\$&');
}
