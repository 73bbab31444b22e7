import type { RawResponse } from '../domain/response';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { bodyText } from './bodyText';
import { readStream } from './eventStream';
import { isOutcomeMessage } from './outcomeNames';
import { asText, firstOf, members, oneLine, pick, pickText, plainName } from './records';

// Error bodies: "not shown" (section 7, rule 2). Read are the shapes that web frameworks commonly send.

/** Longest service message that is quoted in a sentence; the body has the rest. */
export const LONGEST_MESSAGE = 300;
/** Of a list of messages; a service may send a million. */
const MOST_MESSAGES = 5;
/** Members of an error that are looked at. */
const MOST_FIELDS = 100;
/** Of a whole body: a larger one is no error. */
const MOST_VALUES = 5000;

/** Values that are still looked at. */
interface Work {
  left: number;
}

/** Headers in which gateways and frameworks put the identifier that their support asks for. */
const REQUEST_ID_HEADERS = words(`
  x-request-id request-id x-correlation-id x-amzn-requestid x-amz-request-id x-trace-id cf-ray
`);

export interface ServiceErrorBody {
  /** The service's own message, as one line of plain text, shortened. */
  readonly serviceMessage?: string;
  readonly requestId?: string;
}

/** The message and request identifier of an error response. */
export function readError(raw: RawResponse): ServiceErrorBody {
  return { serviceMessage: messageIn(raw), requestId: readRequestId(raw) };
}

function messageIn(raw: RawResponse): string | undefined {
  if (raw.json !== undefined) return oneLine(wordsIn(raw.json, true), LONGEST_MESSAGE);
  if (raw.bytes.length === 0 || !isTextual(raw)) return undefined;
  const events = readStream(raw)?.events.filter(({ data }) => isObject(data));
  if (events !== undefined && events.length > 0)
    return oneLine(
      firstOf(events.toReversed(), ({ data }) => wordsIn(data, true)),
      LONGEST_MESSAGE,
    );
  const text = bodyText(raw.bytes.subarray(0, 64 * 1024), raw.contentType);
  // JSON that could not be read is no sentence.
  if (/^[\s\uFEFF]*[[{"]/.test(text)) return undefined;
  if (looksLikeHtml(raw.contentType, text)) return oneLine(htmlWords(text), LONGEST_MESSAGE);
  return oneLine(/^\s*</.test(text) ? (xmlWords(text) ?? htmlWords(text)) : text, LONGEST_MESSAGE);
}

/** The error of a store in XML (S3, Azure, Google Cloud Storage): <Code> and <Message>, and the name of the header that an Azure request lacked; of SOAP. */
function xmlWords(text: string): string | undefined {
  const names = ['code', 'message', 'headername', 'faultstring'];
  const texts = names
    .map((name) => elementIn(text, name))
    .filter((each) => each !== undefined && each !== '');
  return texts.length === 0 ? undefined : texts.join(': ');
}

/** The text at the beginning of the first element of a name, which may have a prefix. */
function elementIn(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<(?:\\w{1,20}:)?${name}(?:\\s[^<>]{0,200})?>([^<]*)`, 'i').exec(xml) ?? [];
  return text && decodeEntities(text).trim();
}

function isTextual(raw: RawResponse): boolean {
  return raw.contentType === '' || /^text\/|json|xml|html/i.test(raw.contentType);
}

export function looksLikeHtml(contentType: string, text: string): boolean {
  return /html/i.test(contentType) || HTML.test(withoutProlog(text));
}

/** Members that hold the sentence, the likelier first. */
const MESSAGES = words(
  'message errormessage errordescription errorsummary msg reason description defaultmessage',
);
/** The same, where no likelier one is there: SageMaker, Seldon, SOAP. */
const LESS_LIKELY = words('statusmessage statusmsg statustext statusreason info');
/** Members that hold it further inside: {error: "..."} or {error: {message}}; problem+json {title, detail}. */
const PLACES = words('message messages error detail details title fault failure data');
/** Records that may hold it, after all other places: {status: {code, description}} of Clarifai. */
const OUTER = words('status result payload');
/** Lists of single faults, for which a message beside them is a heading: "Bad Request", "The given data was invalid." */
const FAULTS = words('errors violations issues fielderrors validationerrors invalidparams embedded');
/** Members that repeat the request, and facts that are no message. */
const NO_WORDS = new Set(
  words(`
    input inputs request params parameters options headers body payload context ctx target stack stacktrace trace
    traceback output outputs result results prediction predictions logs metrics links urls meta metadata usage
    billing documentationurl path instance timestamp type name
  `),
);

const HTML = /^<(?:!doctype\s+html|html|head|body|title|meta|script|style)\b/i;

/** Without declarations and comments before the first element. */
function withoutProlog(text: string): string {
  let rest = text.slice(0, LONGEST_PROLOG).trimStart();
  for (let end = prologEnd(rest); end > 0; end = prologEnd(rest)) rest = rest.slice(end).trimStart();
  return rest;
}

const LONGEST_PROLOG = 10_000;

function prologEnd(text: string): number {
  const [, close] = PROLOGS.find(([open]) => text.startsWith(open)) ?? [];
  const end = close === undefined ? -1 : text.indexOf(close);
  return end < 0 || close === undefined ? 0 : end + close.length;
}

const PROLOGS = [
  ['<!--', '-->'],
  ['<?xml', '?>'],
] as const;

/**
 * The sentence about an error in a body, at the places of the usual frameworks.
 * @param isError the value is an error as a whole, in which a sentence under any name is about it
 */
export function wordsIn(
  value: unknown,
  isError = false,
  depth = 0,
  work: Work = { left: MOST_VALUES },
): string | undefined {
  if (depth > 5 || work.left-- <= 0) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  // {errors: [{message}]}, FastAPI's {detail: [{loc, msg}]}: all of them, for each names a field.
  if (Array.isArray(value))
    return joined(value.slice(0, MOST_MESSAGES).map((item) => wordsIn(item, isError, depth + 1, work)));
  if (!isObject(value)) return undefined;
  const own =
    pickText(value, ...MESSAGES, ...(pick(value, 'lang', 'locale') === undefined ? [] : ['value'])) ??
    firstOf(members(value), ([name, each]) => (isOutcomeMessage(plainName(name)) ? asText(each) : undefined));
  const sentenceOf = (record: unknown) =>
    isObject(record) ? (pickText(record, 'text') ?? wordsIn(record, true, depth + 1, work)) : undefined;
  const heading = located(
    value,
    own ??
      pickText(value, 'faultstring') ??
      firstOf(PLACES, (name) => wordsIn(pick(value, name), true, depth + 1, work)) ??
      pickText(value, ...LESS_LIKELY) ??
      firstOf(OUTER, (name) => sentenceOf(pick(value, name))),
  );
  const faults = firstOf(FAULTS, (name) => faultsIn(pick(value, name), depth + 1, work));
  const sentence =
    withFaults(heading, faults) ?? (isError ? fieldMessages(value, depth + 1, work) : undefined);
  return sentence ?? pickText(value, 'code', 'errorcode', 'status');
}

/** A list of faults, or a table of them by the name of a field. */
function faultsIn(value: unknown, depth: number, work: Work): string | undefined {
  const isTable = isObject(value) && !isOneError(value);
  return (isTable ? fieldMessages(value, depth, work, true) : undefined) ?? wordsIn(value, true, depth, work);
}

function withFaults(heading: string | undefined, faults: string | undefined): string | undefined {
  if (heading === undefined || faults === undefined || heading.includes(faults)) return heading ?? faults;
  const sentence = heading.trimEnd();
  return `${/[.:]$/.test(sentence) ? sentence.slice(0, -1) : sentence}: ${faults}`;
}

/** One error in place of a list of errors, without messages by field: it has only members of an error. */
function isOneError(value: UnknownObject): boolean {
  const names = Object.keys(value);
  return typeof pick(value, 'message', 'msg') === 'string' && names.every((name) => MEMBERS.has(name));
}

const MEMBERS = new Set(words('message msg code status type title detail reason description'));

/** A validation message with the place it is about: FastAPI's `loc`, others' `field` or `path`, {source: {pointer}} of JSON:API. */
function located(value: UnknownObject, message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  const source = pick(value, 'source');
  const place =
    pick(value, 'loc', 'field', 'pointer', 'param', 'instancepath', 'propertypath') ??
    // Beside a heading it is that of the request.
    (pickText(value, ...MESSAGES) === message ? pick(value, 'path') : undefined) ??
    (isObject(source) ? pick(source, 'pointer', 'parameter') : undefined) ??
    // {name: "age", reason: "must be positive"} of RFC 7807.
    (pick(value, 'reason') === message ? pick(value, 'name') : undefined);
  const where = Array.isArray(place) ? place.map((part) => asText(part) ?? '').join('.') : asText(place);
  return where === undefined || where === '' || message.includes(where) ? message : `${where}: ${message}`;
}

/**
 * Messages by the name of a field, as Django, Rails and Flask write them, and sentences under unknown names.
 * @param areFaults every member is about a fault, and a single word is a message, too
 */
function fieldMessages(
  fields: UnknownObject,
  depth: number,
  work: Work,
  areFaults = false,
): string | undefined {
  const messages = members(fields)
    .slice(0, MOST_FIELDS)
    .flatMap(([name, value]) => {
      const message =
        areFaults || mayBeMessage(name, value, work) ? wordsIn(value, true, depth, work) : undefined;
      if (message === undefined) return [];
      const isUnnamed = FAULTS.includes(plainName(name)) || (isObject(value) && !areFaults);
      return isUnnamed ? message : `${name}: ${message}`;
    });
  return joined(messages.slice(0, MOST_MESSAGES));
}

/** A sentence, a table of them, or a value that may have one inside. */
function mayBeMessage(name: string, value: unknown, work: Work): boolean {
  if (isSentenceTable(value, 0, work)) return true;
  const plain = plainName(name);
  if (NO_WORDS.has(plain) || PLACES.includes(plain) || FAULTS.includes(plain)) return false;
  return isSentence(value) || isObject(value) || (Array.isArray(value) && value.some(isObject));
}

/** Whether a value has nothing but lists of sentences, by name: {input: {text: ["This field is required."]}} */
function isSentenceTable(value: unknown, depth: number, work: Work): boolean {
  if (work.left-- <= 0) return false;
  if (Array.isArray(value)) return value.length > 0 && value.slice(0, MOST_FIELDS).every(isSentence);
  const inner = isObject(value) ? members(value).slice(0, MOST_FIELDS) : [];
  return depth < 4 && inner.length > 0 && inner.every(([, each]) => isSentenceTable(each, depth + 1, work));
}

function isSentence(value: unknown): value is string {
  return typeof value === 'string' && /\s/.test(value.trim());
}

function joined(messages: readonly (string | undefined)[]): string | undefined {
  const sentences = messages.filter((message) => message !== undefined);
  return sentences.length === 0 ? undefined : sentences.join('; ');
}

/** The text of an HTML error page: its title, then its visible text. */
function htmlWords(html: string): string {
  const title = /<title[^<>]*>([^<]*)/i.exec(html)?.[1]?.trim() ?? '';
  const body = html
    .replace(/<(script|style|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<[^>]*>?/g, ' ');
  const shown = decodeEntities(`${title} ${body}`).replace(/\s+/g, ' ').trim();
  return shown.startsWith(`${title} ${title}`) ? shown.slice(title.length + 1) : shown;
}

function decodeEntities(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (all, name: string) => named[name] ?? all);
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
