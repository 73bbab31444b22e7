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

/** A stream that takes more work is text. A step takes at most 0.2 µs: counted, so that each machine reads the same. */
const MOST_STEPS = 1_000_000;
/** Those of a line, of an event, of a value in JSON, and of text that begins like JSON and is not. */
const STEPS = { line: 5, event: 10, value: 2, notJson: 500 };
const TYPED_LINES = /ndjson|jsonl|json-?lines|json-seq|stream\+json/i;
const TEXTS = new Set(['text', 'token', 'content', 'delta']);
const FIELD = /^(data|event|id|retry|): ?(.*)$/;

/** The events of a response with data; undefined for other bodies. One pass, which the first line of another kind ends. */
export function readEvents({
  contentType,
  text,
}: Pick<RawResponse, 'contentType' | 'text'>): StreamEvent[] | undefined {
  if (text === undefined) return undefined;
  const work = new Work();
  const isTyped = /^text\/event-stream/i.test(contentType);
  const [first = ''] = /\S[^\r\n]{0,20}/.exec(text) ?? [];
  if (isTyped || FIELD.test(first)) return sentEvents(text, isTyped, work);
  return TYPED_LINES.test(contentType) || first.startsWith('{')
    ? linesOfJson(text, contentType, work)
    : undefined;
}

/** Untyped text has events only where every line is a field, and one has data. */
function sentEvents(text: string, isTyped: boolean, work: Work): StreamEvent[] | undefined {
  const events: StreamEvent[] = [];
  let name: string | undefined;
  let data: string[] = [];
  const end = () => {
    if (name !== undefined || data.length > 0)
      events.push({ ...(name !== undefined && { name }), data: jsonOrText(data.join('\n'), work) });
    [name, data] = [undefined, []];
  };
  for (const line of linesOf(text)) {
    work.spend(STEPS.line);
    if (work.isTooMuch) return undefined;
    if (line === '') end();
    else {
      const [, field, value = ''] = FIELD.exec(line) ?? [];
      if (field === undefined && !isTyped) return undefined;
      if (field === 'data') data.push(value);
      else if (field === 'event') name = value;
    }
  }
  end();
  if (work.isTooMuch) return undefined;
  const hasData = events.some((event) => event.data !== '');
  return events.length > 0 && (isTyped || hasData) ? events : undefined;
}

/** Two lines of JSON at least, or one that a type says is such. Only the last line may be cut off. */
function linesOfJson(text: string, contentType: string, work: Work): StreamEvent[] | undefined {
  const events: StreamEvent[] = [];
  for (const written of linesOf(text)) {
    // RFC 7464 begins each text with a record separator.
    const line = (written.startsWith('\u001e') ? written.slice(1) : written).trim();
    work.spend(STEPS.line);
    if (work.isTooMuch) return undefined;
    if (line === '') continue;
    if (typeof events.at(-1)?.data === 'string') return undefined;
    events.push({ data: jsonOrText(line, work) });
  }
  if (work.isTooMuch) return undefined;
  const least = TYPED_LINES.test(contentType) ? 1 : 2;
  return events.length >= least && isObject(events[0]?.data) ? events : undefined;
}

function* linesOf(text: string): Generator<string> {
  const end = /\r\n?|\n/g;
  let from = 0;
  for (let match = end.exec(text); match; match = end.exec(text)) {
    yield text.slice(from, match.index);
    from = end.lastIndex;
  }
  yield text.slice(from);
}

class Work {
  #left = MOST_STEPS;

  spend(steps: number): void {
    this.#left -= steps;
  }

  get isTooMuch(): boolean {
    return this.#left < 0;
  }
}

/** A number may be a token of a text. */
function jsonOrText(text: string, work: Work): unknown {
  work.spend(STEPS.event);
  if (work.isTooMuch || !/^\s*[[{]/.test(text)) return text;
  work.spend(STEPS.value * (text.match(/[[{,]/g)?.length ?? 0));
  if (work.isTooMuch) return text;
  const json = tolerantJson(text);
  if (!json || json.hasOddValues) work.spend(STEPS.notJson);
  return json?.value ?? text;
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
