import type { RawResponse } from '../domain/response';
import { isObject, type UnknownObject } from '../domain/value';
import { tolerantJson } from './tolerantJson';

// Streams that were received whole: server-sent events (the HTML standard, 9.2.6) and lines of JSON.

export interface StreamEvent {
  /** "error", "done"; undefined for lines of JSON. */
  readonly name?: string;
  /** A record or list of JSON, or the text. */
  readonly data: unknown;
}

/** A stream with more events is text: each is parsed. */
const MOST_EVENTS = 20_000;
/** Comments and empty lines among them. */
const MOST_LINES = 200_000;
const TYPED_LINES = /ndjson|jsonl|json-?lines|json-seq|stream\+json/i;
const TEXTS = new Set(['text', 'token', 'content', 'delta']);
const FIELD = /^(data|event|id|retry|): ?(.*)$/;

/** The events of a response with data; undefined for other bodies. One pass, which the first line of another kind ends. */
export function readEvents({
  contentType,
  text,
}: Pick<RawResponse, 'contentType' | 'text'>): StreamEvent[] | undefined {
  if (text === undefined) return undefined;
  const isTyped = /^text\/event-stream/i.test(contentType);
  const [first = ''] = /\S[^\r\n]{0,20}/.exec(text) ?? [];
  if (isTyped || FIELD.test(first)) return sentEvents(text, isTyped);
  return TYPED_LINES.test(contentType) || first.startsWith('{') ? linesOfJson(text, contentType) : undefined;
}

/** Untyped text has events only where every line is a field, and one has data. */
function sentEvents(text: string, isTyped: boolean): StreamEvent[] | undefined {
  const events: StreamEvent[] = [];
  let name: string | undefined;
  let data: string[] = [];
  const end = () => {
    if (name !== undefined || data.length > 0)
      events.push({ ...(name !== undefined && { name }), data: jsonOrText(data.join('\n')) });
    [name, data] = [undefined, []];
  };
  for (const line of linesOf(text)) {
    if (line === '') end();
    else {
      const [, field, value = ''] = FIELD.exec(line) ?? [];
      if (field === undefined && !isTyped) return undefined;
      if (field === 'data') data.push(value);
      else if (field === 'event') name = value;
    }
    if (events.length > MOST_EVENTS || data.length > MOST_EVENTS) return undefined;
  }
  end();
  const hasData = events.some((event) => event.data !== '');
  return events.length > 0 && (isTyped || hasData) ? events : undefined;
}

/** Two lines of JSON at least, or one that a type says is such. Only the last line may be cut off. */
function linesOfJson(text: string, contentType: string): StreamEvent[] | undefined {
  const events: StreamEvent[] = [];
  for (const written of linesOf(text)) {
    // RFC 7464 begins each text with a record separator.
    const line = (written.startsWith('\u001e') ? written.slice(1) : written).trim();
    if (line === '') continue;
    const last = events.at(-1)?.data;
    if (typeof last === 'string' || events.length >= MOST_EVENTS) return undefined;
    events.push({ data: jsonOrText(line) });
  }
  const least = TYPED_LINES.test(contentType) ? 1 : 2;
  return events.length >= least && isObject(events[0]?.data) ? events : undefined;
}

function* linesOf(text: string): Generator<string> {
  const end = /\r\n?|\n/g;
  let from = 0;
  let lines = 0;
  for (let match = end.exec(text); match && lines < MOST_LINES; match = end.exec(text)) {
    yield text.slice(from, match.index);
    from = end.lastIndex;
    lines += 1;
  }
  yield text.slice(from);
}

/** A number may be a token of a text. */
function jsonOrText(text: string): unknown {
  const json = /^\s*[[{]/.test(text) ? tolerantJson(text)?.value : undefined;
  return json ?? text;
}

/** The texts of events joined, where each event is a text, or a record with only one. */
export function joinedText(events: readonly StreamEvent[]): string | undefined {
  const texts: string[] = [];
  for (const { data } of events) {
    const text = typeof data === 'string' ? data : isObject(data) ? onlyText(data) : undefined;
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts.join('');
}

function onlyText(record: UnknownObject): string | undefined {
  const [[name = '', value] = [], ...others] = Object.entries(record);
  const isText = others.length === 0 && typeof value === 'string' && TEXTS.has(name.toLowerCase());
  return isText ? value : undefined;
}
