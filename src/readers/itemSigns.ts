import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { LONGEST_MESSAGE, wordsIn } from './error';
import { errorIn, flagIn } from './failureSigns';
import { asText, firstOf, members, oneLine, pick, plainName } from './records';
import { stateOfWord } from './stateWords';

// The sign in one entry of a batch's response.

/** `unsure`: not finished yet, in a word that is not known, or with signs of both. */
export type ItemSign =
  | { readonly sign: 'done' }
  | { readonly sign: 'failed'; readonly reason?: string }
  | { readonly sign: 'unsure' };

const DONE: ItemSign = { sign: 'done' };
const UNSURE: ItemSign = { sign: 'unsure' };

/** Words for an item besides those for a run. */
const DONE_WORDS = new Set(
  words('created updated added replaced inserted upserted exists unchanged duplicate valid true yes'),
);
const FAILED_WORD =
  /^(?:not(?:indexed|found|supported|stored)|un(?:supported|readable|processable|known(?:media|image))|invalid|corrupt|denied|rejected|fail|error|missing|toolarge|bad(?:request|image|input|file|data)|false$|no$)/;
/** Records inside an entry that carry its outcome. */
const INNER = words('result outcome status response attributes');

/** The sign in an entry of a list; undefined when it has none. */
export function signIn(entry: unknown, depth = 0): ItemSign | undefined {
  if (typeof entry === 'boolean') return entry ? DONE : failedWith(undefined);
  // Other words may be ids.
  if (typeof entry === 'string') return isSignWord(entry) ? signOfWord(entry) : undefined;
  if (!isObject(entry) || depth > 2) return undefined;
  const inner = [...INNER.map((name) => pick(entry, name)), only(entry)].filter(isObject);
  const signs = [
    ...[statusSign(entry), flagSign(entry), errorSign(entry)],
    ...inner.map((record) => signIn(record, depth + 1)),
  ].filter((sign) => sign !== undefined);
  const kinds = new Set(signs.map(({ sign }) => sign));
  if (kinds.size > 1) return UNSURE;
  if (!kinds.has('failed')) return signs[0];
  return failedWith(
    firstOf(signs, (sign) => (sign.sign === 'failed' ? sign.reason : undefined)) ?? reasonIn(entry),
  );
}

/** {index: {_id, status}} of Elasticsearch: the name of an operation around its outcome. */
export function only(entry: UnknownObject): unknown {
  const all = members(entry);
  return all.length === 1 && !INNER.includes(plainName(all[0]![0])) ? all[0]![1] : undefined;
}

/** Why an item failed, where the place of the entry says that it did. */
export function reasonIn(entry: unknown): string | undefined {
  if (typeof entry === 'string') return oneLine(entry, LONGEST_MESSAGE);
  if (!isObject(entry)) return undefined;
  const words = wordsIn(entry) ?? asText(pick(entry, 'status', 'state', 'code', 'cause', 'why'));
  return oneLine(words, LONGEST_MESSAGE);
}

export function failedWith(reason: string | undefined): ItemSign {
  return reason === undefined ? { sign: 'failed' } : { sign: 'failed', reason };
}

function isSignWord(word: string): boolean {
  return stateOfWord(word) !== undefined || DONE_WORDS.has(plainName(word));
}

function signOfWord(word: string): ItemSign {
  const name = plainName(word);
  switch (stateOfWord(word)) {
    case 'finished':
      return DONE;
    case 'failed':
      return failedWith(undefined);
    case 'partial':
      return UNSURE;
    case 'accepted':
      // "created" is a state of a run that waits, and of an item that is there.
      return DONE_WORDS.has(name) ? DONE : UNSURE;
    case undefined:
      if (DONE_WORDS.has(name)) return DONE;
      return FAILED_WORD.test(name) ? failedWith(undefined) : UNSURE;
  }
}

function statusSign(entry: UnknownObject): ItemSign | undefined {
  const code = pick(entry, 'statuscode', 'httpstatus', 'httpcode', 'status', 'code');
  if (typeof code === 'number' && code >= 100 && code < 600) {
    if (code >= 400) return failedWith(reasonIn(entry));
    // 102 and 202 are still at work on it.
    return code >= 200 && code < 300 && code !== 202 ? DONE : UNSURE;
  }
  const word = pick(entry, 'status', 'state', 'outcome', 'result');
  return typeof word === 'string' && word.trim() !== '' ? signOfWord(word) : undefined;
}

function flagSign(entry: UnknownObject): ItemSign | undefined {
  switch (flagIn(entry)) {
    case 'both':
      return UNSURE;
    case 'failed':
      return failedWith(reasonIn(entry));
    case 'finished':
      return DONE;
    case undefined:
      return undefined;
  }
}

function errorSign(entry: UnknownObject): ItemSign | undefined {
  const error = errorIn(entry, 'ofItem');
  return error && failedWith(error.reason);
}
