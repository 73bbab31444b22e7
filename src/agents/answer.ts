import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { ServiceError } from '../service/errors';
import { messageOf } from '../wording/errors';
import { visibleText } from '../wording/plainText';
import type { EncodedImage } from '../worker/smallImage';

/** Marks text from outside, with a random word of each answer: names of models, results, texts of files. */
export const DATA_TAG = 'service-data';

/** Text from outside between marks that nothing in it can know. */
export function markedData(text: string, word = randomBytes(6).toString('hex')): string {
  return `<${DATA_TAG}-${word}>\n${text}\n</${DATA_TAG}-${word}>`;
}
/** Bytes of an answer's text. */
export const MOST_BYTES = 4_096;

/** The end of a tool's call, before it becomes an answer. */
export interface Report {
  /** Sentences of the product itself, without any text from outside. */
  readonly notes: readonly string[];
  /** Text that may have parts from outside: it is marked as data. */
  readonly data?: string;
  /** Absolute paths of files. */
  readonly pictures?: readonly string[];
  /** Of the pictures, where they are wanted. */
  readonly images?: readonly EncodedImage[];
  readonly isError?: boolean;
  /** By which the work is read later. */
  readonly handle?: string;
  /** Handle of the same call, which was made before. */
  readonly earlier?: string;
}

export interface ToolAnswer {
  /** At most 4 kB. */
  readonly text: string;
  /** PNG or JPEG of at most 512 pixels a side and 1 MB. */
  readonly images: readonly EncodedImage[];
  readonly isError: boolean;
}

export interface AnswerOptions {
  /** Character of the data that the answer begins with. */
  readonly from?: number;
  /** Saves all of the data; returns the path. Called where the answer is cut. */
  readonly save: (data: string) => Promise<string | undefined>;
}

/** A report without the key, and without characters that hide or reorder text. */
export function cleanReport(report: Report, redact: (text: string) => string): Report {
  const clean = (text: string) => visibleText(redact(text));
  return {
    ...report,
    notes: report.notes.map(clean),
    ...(report.data !== undefined && { data: clean(report.data) }),
  };
}

/** @returns text of at most 4 kB, with the data marked */
export async function answerOf(report: Report, { from = 0, save }: AnswerOptions): Promise<ToolAnswer> {
  const { pictures = [], images = [], data: all = '', isError = false, handle } = report;
  const notes = [...report.notes, ...pictures.map((path) => l10n.t('Picture: {0}', path))];
  const head = beginning(notes.join('\n'), MOST_BYTES / 2);
  const word = randomBytes(6).toString('hex');
  const answerText = (body: string, note: string) =>
    [head, all === '' ? '' : markedData(body, word), note].filter((part) => part !== '').join('\n');
  const rest = all.slice(from);
  const whole = answerText(rest, '');
  if (from === 0 && bytesOf(whole) <= MOST_BYTES) return { text: whole, images, isError };
  const path = await save(all);
  const note = (until: number) =>
    [
      l10n.t('Characters {0} to {1} of {2} are shown.', from, until, all.length),
      until < all.length && handle !== undefined
        ? l10n.t('read_results with this handle and from = {0} continues.', until)
        : '',
      path === undefined ? '' : l10n.t('All of it: {0}', path),
    ]
      .filter((part) => part !== '')
      .join(' ');
  const body = beginning(rest, Math.max(0, MOST_BYTES - bytesOf(answerText('', note(all.length)))));
  return { text: answerText(body, note(from + body.length)), images, isError };
}

/** The beginning of a text, in whole characters. */
function beginning(text: string, mostBytes: number): string {
  let bytes = 0;
  let characters = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > mostBytes) return text.slice(0, characters);
    characters += character.length;
  }
  return text;
}

const bytesOf = (text: string) => Buffer.byteLength(text);

/** The report of a call that threw. Its sentence is data: it may have words of the service, or a path. */
export function failureReport(error: unknown, locale?: string): Report {
  const notes = error instanceof ServiceError ? [l10n.t('The service reported a failure.')] : [];
  return { notes, data: messageOf(error, locale), isError: true };
}
