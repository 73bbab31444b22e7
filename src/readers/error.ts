import type { RawResponse } from '../domain/response';
import { isObject } from '../domain/value';
import { oneLine, words } from '../domain/words';
import { textOfMarkup } from '../intake/bodyText';
import { firstOf, inWords, pick, pickText, scalarText } from './records';

// Error bodies: "not shown" (section 7, rule 2). Read are the usual names, one level deep.

/** Longest service message that is quoted in a sentence; the body has the rest. */
export const LONGEST_MESSAGE = 300;
/** Of a list of messages; a service may send a million. */
const MOST_MESSAGES = 5;
const DEEPEST = 3;

/** Headers in which gateways and frameworks put the identifier that their support asks for. */
const REQUEST_ID_HEADERS = words('x-request-id request-id x-correlation-id x-trace-id');
/** Names of the sentence, the likelier first. */
const MESSAGES = words('message msg error detail reason description title');
const FIELDS = words('loc field param pointer');

/** The service's own message, as one short line of plain text, and the request identifier of an error response. */
export function readError(raw: RawResponse) {
  return { serviceMessage: messageIn(raw), requestId: readRequestId(raw) };
}

function messageIn(raw: RawResponse): string | undefined {
  if (raw.json !== undefined) return oneLine(wordsIn(raw.json), LONGEST_MESSAGE);
  if (raw.text === undefined) return undefined;
  const text = raw.text.slice(0, 64 * 1024);
  // JSON that could not be read is no sentence.
  if (/^[\s\uFEFF]*[[{"]/.test(text)) return undefined;
  return oneLine(/^[\s\uFEFF]*</.test(text) ? textOfMarkup(text) : text, LONGEST_MESSAGE);
}

/**
 * The sentence about an error: a text, those of a list, or that under a usual name, with the messages of `errors` beside
 * it; of a record without such a name its values in words.
 */
export function wordsIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value))
    return joined(value.slice(0, MOST_MESSAGES).map((item) => wordsIn(item, depth + 1)));
  if (!isObject(value)) return undefined;
  const heading = firstOf(MESSAGES, (name) => wordsIn(pick(value, name), depth + 1));
  const sentence = joined([heading, wordsIn(pick(value, 'errors'), depth + 1)], ': ');
  if (sentence === undefined)
    return pickText(value, 'code', 'status', 'state') ?? inWords(value, LONGEST_MESSAGE);
  // `loc` and others name the place that the sentence is about.
  const where = [pick(value, ...FIELDS)].flat().map(scalarText).join('.');
  return where === 'undefined' || sentence.includes(where) ? sentence : `${where}: ${sentence}`;
}

function joined(messages: readonly (string | undefined)[], between = '; '): string | undefined {
  const sentences = messages.filter((message) => message !== undefined).slice(0, MOST_MESSAGES);
  return sentences.length === 0 ? undefined : sentences.join(between);
}

export function readRequestId(raw: RawResponse): string | undefined {
  const json = isObject(raw.json) ? raw.json : {};
  const id =
    firstOf(REQUEST_ID_HEADERS, (header) => raw.headers[header] || undefined) ??
    firstOf([json, pick(json, 'error')].filter(isObject), (record) =>
      pickText(record, 'requestid', 'correlationid', 'traceid'),
    );
  return id?.slice(0, 200);
}
