import type { RawResponse } from '../domain/response';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { bodyText } from './bodyText';
import { asText, firstOf, oneLine, pick, pickText } from './records';

// Error bodies: "not shown" (section 7, rule 2). Read are the shapes that web frameworks commonly send.

/** Longest service message that is quoted in a sentence; the body has the rest. */
export const LONGEST_MESSAGE = 300;
/** Of a list of messages; a service may send a million. */
const MOST_MESSAGES = 5;

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
  if (raw.json !== undefined) return oneLine(wordsIn(raw.json), LONGEST_MESSAGE);
  if (raw.bytes.length === 0 || !isTextual(raw)) return undefined;
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
  return /html/i.test(contentType) || /^\s*<(?:!doctype|html|head|body)\b/i.test(text);
}

/** The sentence in an error body, at the places of the usual frameworks. */
export function wordsIn(value: unknown, depth = 0): string | undefined {
  if (depth > 4) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  // {errors: [{message}]}, FastAPI's {detail: [{loc, msg}]}: all of them, for each names a field.
  if (Array.isArray(value))
    return joined(value.slice(0, MOST_MESSAGES).map((item) => wordsIn(item, depth + 1)));
  if (!isObject(value)) return undefined;
  const own = pickText(value, 'message', 'errormessage', 'errordescription', 'msg', 'reason', 'description');
  if (own !== undefined) return located(value, own);
  // {error: "..."} or {error: {message}}; problem+json {title, detail}; {detail: [...]}; {errors: [...] or {field: [...]}}
  const inside = firstOf(words('error detail details errors title fault failure data'), (name) => {
    const inner = pick(value, name);
    const fields =
      name === 'errors' && isObject(inner) && !isOneError(inner)
        ? fieldMessages(inner, depth + 1)
        : undefined;
    return fields ?? wordsIn(inner, depth + 1);
  });
  return inside ?? pickText(value, 'code', 'errorcode', 'status');
}

/** One error in place of a list of errors, without messages by field: it has only members of an error. */
function isOneError(value: UnknownObject): boolean {
  const names = Object.keys(value);
  return typeof pick(value, 'message', 'msg') === 'string' && names.every((name) => MEMBERS.has(name));
}

const MEMBERS = new Set(words('message msg code status type title detail reason description'));

/** A validation message with the place it is about: FastAPI's `loc`, others' `field` or `path`. */
function located(value: UnknownObject, message: string): string {
  const place = pick(value, 'loc', 'field', 'path', 'pointer', 'param');
  const where = Array.isArray(place) ? place.map((part) => asText(part) ?? '').join('.') : asText(place);
  return where === undefined || where === '' || message.includes(where) ? message : `${where}: ${message}`;
}

function fieldMessages(fields: UnknownObject, depth: number): string | undefined {
  return joined(
    Object.entries(fields)
      .slice(0, MOST_MESSAGES)
      .map(([field, value]) => {
        const message = wordsIn(value, depth);
        return message && `${field}: ${message}`;
      }),
  );
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

function readRequestId(raw: RawResponse): string | undefined {
  const json = isObject(raw.json) ? raw.json : {};
  const id =
    firstOf(REQUEST_ID_HEADERS, (header) => raw.headers[header] || undefined) ??
    firstOf([json, pick(json, 'error')].filter(isObject), (record) =>
      pickText(record, 'requestid', 'correlationid', 'traceid'),
    );
  return id?.slice(0, 200);
}
