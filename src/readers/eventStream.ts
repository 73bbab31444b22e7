import type { RawResponse } from '../domain/response';
import { isObject } from '../domain/value';
import { contentIn } from './content';
import { firstOf, pick, pickText } from './records';
import { tolerantJson } from './tolerantJson';

// Streamed responses: server-sent events (the HTML standard, 9.2.6) and lines of JSON.

export interface StreamEvent {
  /** "error", "done", "output"; undefined for lines of JSON. */
  readonly name?: string;
  /** JSON, or the text. */
  readonly data: unknown;
}

/** A stream that was received whole. */
export interface ReadStream {
  /** Those with data, without the last one that only says that the stream is complete. */
  readonly events: readonly StreamEvent[];
  readonly last: unknown;
  /** An event that says that the stream is complete came last: "[DONE]", event: done. */
  readonly isComplete: boolean;
  /** The last event is the beginning of JSON: the connection ended within it. */
  readonly isCut: boolean;
  /** The parts of a text joined, else the list of all events. */
  readonly output: unknown;
}

/** "[DONE]", "done", message_stop of Anthropic, response.completed of OpenAI, stream-end of Cohere; no content_block_stop. */
const DONE = /^\s*\[?(?:[a-z]+[._-])?(?:done|end|completed?|close|stop)\]?\s*$/i;

/** The stream in a response; undefined for other bodies. */
export function readStream({ contentType, text }: RawResponse): ReadStream | undefined {
  if (text === undefined) return undefined;
  const areSent =
    /^text\/event-stream\b/i.test(contentType) ||
    (/^(?:text\/plain\b|$)/i.test(contentType) && isOfFields(text));
  const events = areSent ? sentEvents(text) : linesOfJson(text, contentType);
  if (events === undefined || events.length === 0) return undefined;
  const isEnd = ({ name = '', data }: StreamEvent) =>
    (typeof data === 'string' && DONE.test(data)) || (DONE.test(name) && (data === null || isEmpty(data)));
  const parts = events.filter((event) => !isEnd(event));
  const last = parts.at(-1);
  return {
    events: parts,
    last: last?.data,
    isComplete: isEnd(events.at(-1)!) || DONE.test(last?.name ?? '') || isEndNamed(last?.data),
    isCut: typeof last?.data === 'string' && /^\s*(?:\{\s*"|\[\s*[[{"])/.test(last.data),
    output: joinedText(parts) ?? parts.map(({ data }) => data),
  };
}

/** Events that a gateway calls plain text: every line is a field of one, or a comment. */
function isOfFields(text: string): boolean {
  const lines = text.split(/\r\n?|\n/).filter((line) => line !== '');
  return lines.some((line) => line.startsWith('data:')) && lines.every((line) => FIELD.test(line));
}

const FIELD = /^(?:data|event|id|retry)?:/;

/** {type: "message_stop"}, {event_type: "stream-end"} where the lines have no names of their own. */
function isEndNamed(data: unknown): boolean {
  return isObject(data) && DONE.test(pickText(data, 'type', 'eventtype', 'event') ?? '');
}

function isEmpty(data: unknown): boolean {
  return data === '' || (isObject(data) && Object.keys(data).length === 0);
}

function sentEvents(text: string): StreamEvent[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const lines = block.split('\n');
      const fieldValues = (field: string) =>
        lines
          .filter((line) => line === field || line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
      const data = fieldValues('data');
      const name = fieldValues('event').at(-1);
      if (data.length === 0) return name === undefined ? [] : [{ name, data: null }];
      return [{ ...(name !== undefined && { name }), data: jsonOrText(data.join('\n')) }];
    });
}

/** Two lines of JSON at least, or one that a type says is such. */
function linesOfJson(text: string, contentType: string): StreamEvent[] | undefined {
  const isTyped = /ndjson|jsonl|json-?lines|json-seq|stream\+json/i.test(contentType);
  // RFC 7464 begins each text with a record separator.
  const lines = text
    .replaceAll('\u001e', '\n')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '');
  if (!isTyped && (lines.length < 2 || !/^\s*[[{]/.test(text))) return undefined;
  const values = lines.map((line) => tolerantJson(line)?.value);
  if (!isTyped && !values.every((value) => isObject(value) || Array.isArray(value))) return undefined;
  return values.map((data, i) => ({ data: data === undefined ? lines[i] : data }));
}

function jsonOrText(text: string): unknown {
  const json = tolerantJson(text)?.value;
  // A number may be a token of a text.
  return json === undefined || typeof json === 'number' || typeof json === 'boolean' ? text : json;
}

/** The text of a stream of pieces; undefined where most events have none of one, and a result instead. */
function joinedText(events: readonly StreamEvent[]): string | undefined {
  const pieces = events.map(({ data }) => pieceOf(data, 0));
  const texts = pieces.filter((piece) => piece !== undefined);
  const others = events.filter(({ data }, at) => pieces[at] === undefined && hasResult(data));
  return texts.length > 0 && texts.length >= others.length ? texts.join('') : undefined;
}

function hasResult(data: unknown): boolean {
  return isObject(data) ? contentIn(data, 'strictly') : data !== null;
}

/** OpenAI (choices, delta, content), TGI (token.text), Ollama (response, message.content), Anthropic (delta.text), Cohere (text). */
function pieceOf(data: unknown, depth: number): string | undefined {
  if (typeof data === 'string') return data;
  if (Array.isArray(data)) return data.length === 1 && depth < 4 ? pieceOf(data[0], depth + 1) : undefined;
  if (!isObject(data) || depth > 4) return undefined;
  return firstOf(
    ['choices', 'delta', 'token', 'message', 'text', 'content', 'response', 'output'],
    (name) => {
      const inner = pick(data, name);
      return inner === undefined ? undefined : pieceOf(inner, depth + 1);
    },
  );
}
