import type { Json } from '../domain/json';
import type { Money } from '../domain/money';
import type { MappedEntry, MappedPlace, RawResponse, RunResponse } from '../domain/response';
import type { ListMapping, ResponseMapping, RunMapping } from '../domain/responseMapping';
import { getAt, isObject } from '../domain/value';
import { oneLine } from '../domain/words';
import { LONGEST_MESSAGE, wordsIn } from './error';
import type { ReadList } from './list';
import { readMoney, readUnit } from './money';
import { asText, plainName, scalarText } from './records';
import { envelopesIn, signsIn, stateOfWord } from './stateWords';

// Responses by a mapping of the user's, which wins over the usual names. A place that a body lacks makes it unclear.

/** The value at a place of a body; undefined: the body has none there. */
export function valueAt(json: unknown, at: string): unknown {
  return getAt(json as Json, at);
}

/**
 * A run by its mapping.
 * @param usual the reading by the usual names, which has the parts that the mapping does not name
 */
export function mappedRun(
  usual: RunResponse,
  { run = {}, search, batch }: ResponseMapping,
  baseUrl: string,
): RunResponse {
  const { json } = usual.raw;
  if (json === undefined || (Object.keys(run).length === 0 && !search && !batch)) return usual;
  const entries = batch && valueAt(json, batch.entries);
  const results = [run.result, search?.hits, batch?.entries];
  const result = results.find((at) => at !== undefined && valueAt(json, at) !== undefined) ?? run.result;
  const state = mappedState(usual, run, result);
  const places = [
    ...placed('state', run.state),
    ...(state === 'finished' ? [...placed('result', result), ...placed('cost', run.cost)] : []),
    ...(state === 'accepted' && run.poll !== undefined ? placed('id', run.id) : []),
  ];
  const missing = places.find(({ at }) => valueAt(json, at) === undefined);
  const message = textAt(json, run.message) ?? usual.message ?? oneLine(wordsIn(json), LONGEST_MESSAGE);
  const read: RunResponse = {
    ...usual,
    state: missing ? 'unclear' : state,
    recognised: !missing && state !== 'unclear',
    runId: run.id === undefined ? usual.runId : textAt(json, run.id),
    cost: run.cost === undefined ? usual.cost : mappedMoney(json, run.cost, run),
    output: outputOf(usual, state, result),
    message: state === 'failed' ? message : undefined,
    entries: Array.isArray(entries) ? entries.map((entry) => mappedEntry(entry, batch!, run)) : undefined,
    readBy: [...places, ...placed('id', run.id)],
    missing,
  };
  return state === 'accepted' && !missing ? withPoll(read, run, baseUrl) : { ...read, followUrl: undefined };
}

function mappedEntry(
  entry: unknown,
  { id, state }: NonNullable<ResponseMapping['batch']>,
  run: RunMapping,
): MappedEntry {
  return {
    id: textAt(entry, id),
    state: state === undefined ? undefined : meaningOf(scalarText(valueAt(entry, state)), run),
  };
}

function placed(part: string, at: string | undefined): MappedPlace[] {
  return at === undefined ? [] : [{ part, at }];
}

function mappedState(usual: RunResponse, run: RunMapping, result: string | undefined): RunResponse['state'] {
  const { raw } = usual;
  if (run.state !== undefined) {
    const value = valueAt(raw.json, run.state);
    return typeof value === 'object' || value === undefined ? 'unclear' : meaningOf(String(value), run);
  }
  if (run.finished === 'status') return raw.status === 202 ? 'accepted' : 'finished';
  if (usual.state !== 'unclear' || result === undefined) return usual.state;
  // A result where the mapping has it is a sign of success, unless the body has a state that is not known.
  const value = valueAt(raw.json, result);
  const isUnknown =
    isObject(raw.json) && envelopesIn(raw.json).some((record) => signsIn(record).state !== undefined);
  return value === undefined || value === null || isUnknown ? 'unclear' : 'finished';
}

/** The meaning of a state's word or number. */
function meaningOf(word: string, { finished, failed, accepted }: RunMapping): RunResponse['state'] {
  const means = (words: unknown) =>
    Array.isArray(words) && words.some((each: string) => plainName(each) === plainName(word));
  if (means(failed)) return 'failed';
  if (means(accepted)) return 'accepted';
  return means(finished) ? 'finished' : (stateOfWord(word) ?? 'unclear');
}

function outputOf(usual: RunResponse, state: RunResponse['state'], result: string | undefined): unknown {
  if (state !== 'finished') return state === 'unclear' ? usual.raw.json : undefined;
  if (result !== undefined) return valueAt(usual.raw.json, result);
  return usual.output ?? usual.raw.json;
}

/** Undefined: no place is mapped, or it has no text. */
function textAt(json: unknown, at: string | undefined): string | undefined {
  return at === undefined ? undefined : asText(valueAt(json, at));
}

function withPoll(read: RunResponse, { poll }: RunMapping, baseUrl: string): RunResponse {
  if (poll === undefined || read.runId === undefined) return read;
  const path = poll.replace('{id}', encodeURIComponent(read.runId).replaceAll('.', '%2E'));
  return { ...read, followUrl: baseUrl + path, notFollowed: undefined };
}

/** An amount at a place, in the unit and currency of the mapping where it names them. */
export function mappedMoney(
  json: unknown,
  at: string,
  { unit, currency }: { readonly unit?: string | undefined; readonly currency?: string | undefined },
): Money | undefined {
  return readMoney(valueAt(json, at), currency, (unit === undefined ? undefined : readUnit(unit)) ?? {});
}

/** A list by its mapping; undefined: the body has none at its place. @param usual the reading by the usual names */
export function mappedList(
  json: unknown,
  usual: ReadList | undefined,
  mapping: ListMapping,
): ReadList | undefined {
  const items = mapping.list === undefined ? usual?.items : valueAt(json, mapping.list);
  if (!Array.isArray(items)) return undefined;
  const total = mapping.total === undefined ? usual?.total : Number(textAt(json, mapping.total));
  const pages = mapping.next === undefined ? usual : undefined;
  return {
    items,
    next: pages?.next,
    goesOn: pages?.goesOn ?? false,
    total: Number.isSafeInteger(total) ? total : undefined,
  };
}

/**
 * The address of the next page by a mapping; undefined after the last one.
 * @param received entries of all pages until here
 */
export function mappedNext(
  { json }: RawResponse,
  { next }: ListMapping,
  { items, total }: ReadList,
  asked: URL,
  received: number,
): string | undefined {
  if (next === undefined || items.length === 0 || (total !== undefined && received >= total))
    return undefined;
  const value = next.value === undefined ? received : valueAt(json, next.value);
  const text = asText(value);
  if (text === undefined) return undefined;
  const url = new URL(asked);
  const isNumber = /^\d{1,15}$/.test(text);
  url.searchParams.set(
    next.parameter,
    isNumber && next.add !== undefined ? String(Number(text) + next.add) : text,
  );
  return url.href;
}
