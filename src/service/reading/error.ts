import { isObject, type UnknownObject } from '../../domain/value';
import type { RawResponse } from '../client';
import { asText, oneLine, pick, pickText } from './records';

// Error bodies: "not shown" (section 7, rule 2). Read are the shapes that web frameworks commonly send.

/** Longest service message that is quoted in a sentence; the body has the rest. */
export const LONGEST_MESSAGE = 300;

/** Headers in which gateways and frameworks put the identifier that their support asks for. */
const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-trace-id',
  'cf-ray',
];

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
  if (raw.json !== undefined) return oneLine(wordsIn(raw.json), LONGEST_MESSAGE);
  if (raw.bytes.length === 0 || !isTextual(raw)) return undefined;
  const text = new TextDecoder().decode(raw.bytes.subarray(0, 64 * 1024));
  return oneLine(looksLikeHtml(raw.contentType, text) ? htmlWords(text) : text, LONGEST_MESSAGE);
}

function isTextual(raw: RawResponse): boolean {
  return raw.contentType === '' || /^text\/|json|xml|html/i.test(raw.contentType);
}

export function looksLikeHtml(contentType: string, text: string): boolean {
  return /html/i.test(contentType) || /^\s*<(?:!doctype|html|head|body)\b/i.test(text);
}

/** The sentence in an error body, wherever the usual frameworks put it. */
export function wordsIn(value: unknown, depth = 0): string | undefined {
  if (depth > 4) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (Array.isArray(value)) {
    // {errors: [{message}]}, FastAPI's {detail: [{loc, msg}]}: all of them, for each names a field.
    const all = value.map((item) => wordsIn(item, depth + 1)).filter((words) => words !== undefined);
    return all.length === 0 ? undefined : all.slice(0, 5).join('; ');
  }
  if (!isObject(value)) return undefined;
  const own = pickText(value, 'message', 'errormessage', 'errordescription', 'msg', 'reason', 'description');
  if (own !== undefined) return located(value, own);
  // {error: "..."} or {error: {message}}; problem+json {title, detail}; {detail: [...]}; {errors: [...] or {field: [...]}}
  for (const name of ['error', 'detail', 'details', 'errors', 'title', 'fault', 'failure', 'data']) {
    const inner = pick(value, name);
    if (name === 'errors' && isObject(inner)) {
      const fields = fieldMessages(inner, depth);
      if (fields !== undefined) return fields;
    }
    const words = wordsIn(inner, depth + 1);
    if (words !== undefined) return words;
  }
  return pickText(value, 'code', 'errorcode', 'status');
}

/** A validation message with the place it is about: FastAPI's `loc`, others' `field` or `path`. */
function located(value: UnknownObject, words: string): string {
  const place = pick(value, 'loc', 'field', 'path', 'pointer', 'param');
  const where = Array.isArray(place) ? place.map((part) => asText(part) ?? '').join('.') : asText(place);
  return where === undefined || where === '' || words.includes(where) ? words : `${where}: ${words}`;
}

function fieldMessages(fields: UnknownObject, depth: number): string | undefined {
  const all = Object.entries(fields).flatMap(([field, value]) => {
    const words = wordsIn(value, depth + 1);
    return words === undefined ? [] : [`${field}: ${words}`];
  });
  return all.length === 0 ? undefined : all.slice(0, 5).join('; ');
}

/** The text of an HTML error page: its title, then what it shows. */
function htmlWords(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim() ?? '';
  const body = html
    .replace(/<(script|style|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<[^>]*>?/g, ' ');
  const words = decodeEntities(`${title} ${body}`).replace(/\s+/g, ' ').trim();
  return words.startsWith(`${title} ${title}`) ? words.slice(title.length + 1) : words;
}

function decodeEntities(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (all, name: string) => named[name] ?? all);
}

function readRequestId(raw: RawResponse): string | undefined {
  for (const header of REQUEST_ID_HEADERS) {
    const value = raw.headers[header];
    if (value !== undefined && value !== '') return value.slice(0, 200);
  }
  if (!isObject(raw.json)) return undefined;
  const inner = pick(raw.json, 'error');
  const id =
    pickText(raw.json, 'requestid', 'correlationid', 'traceid') ??
    (isObject(inner) ? pickText(inner, 'requestid', 'correlationid', 'traceid') : undefined);
  return id?.slice(0, 200);
}
