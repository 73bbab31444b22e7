import type { Json } from './json';

/**
 * A number of JSON that JavaScript changes (an id or a seed from 2^53 on, an amount with many digits, 1e400) is never
 * sent. `isExactNumber` checks the text of requests, and such a number is rejected at its place. In responses such a
 * whole number is held as a string of its digits. Both are the same in every JavaScript engine, without the source of
 * a number, which Node.js has from version 22 on.
 */

/** Whether JavaScript sends a number with the very value that is written: 0.10 and 1e300 yes, 9007199254740993 no. */
export function isExactNumber(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && decimalOf(text) === decimalOf(String(number));
}

/** Digits and power of ten of a number, one for each value; undefined for other text. */
function decimalOf(text: string): string | undefined {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [undefined, '?'];
  if (sign === '?') return undefined;
  const digits = (whole + part).replace(/^0+/, '');
  const significant = withoutLast(digits, '0');
  if (significant === '') return '0';
  return `${sign === '-' ? '-' : ''}${significant}e${Number(power) - part.length + digits.length - significant.length}`;
}

function withoutLast(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/**
 * JSON text as a value, in which a number beyond 2^53 that JavaScript changes is a string of its digits. Other
 * numbers are as `JSON.parse` has them: 18 digits of a score are no identifier.
 * @throws SyntaxError text that is no JSON
 */
export function parseExactly(text: string): Json {
  // Few bodies have such a number; others may have millions of members.
  if (!MAY_BE_CHANGED.test(text)) return JSON.parse(text) as Json;
  return parseWithout(text, largeNumbersIn(text), isChanged);
}

/** Like `JSON.parse`, but a number that cannot be sent exactly as written becomes a string of its digits. */
export function parseSendable(text: string): Json {
  return parseWithout(text, numbersIn(text), (digits) => !isExactNumber(digits));
}

function parseWithout(
  text: string,
  numbers: Iterable<WrittenNumber>,
  isText: (digits: string) => boolean,
): Json {
  let exact = '';
  let end = 0;
  for (const { digits, offset } of numbers) {
    if (!isText(digits)) continue;
    exact += `${text.slice(end, offset)}"${digits}"`;
    end = offset + digits.length;
  }
  return JSON.parse(exact + text.slice(end)) as Json;
}

/**
 * The first number in a value that `parseSendable` holds as text.
 * @param plain the same, by `JSON.parse`
 */
export function inexactIn(plain: Json | undefined, sendable: Json | undefined): string | undefined {
  if (typeof plain === 'number' && typeof sendable === 'string') return sendable;
  if (typeof plain !== 'object' || plain === null) return undefined;
  for (const [name, value] of Object.entries(plain)) {
    const digits = inexactIn(value, (sendable as { [name: string]: Json })[name]);
    if (digits !== undefined) return digits;
  }
  return undefined;
}

/** The value of a number of JSON in a response or an expectation: see `parseExactly`. */
export function exactValue(digits: string): number | string {
  return isChanged(digits) ? digits : Number(digits);
}

/** The first number of JSON text that cannot be sent exactly as written. */
export function firstInexact(text: string): string | undefined {
  for (const { digits } of numbersIn(text)) if (!isExactNumber(digits)) return digits;
  return undefined;
}

/** Every such number has 16 digits before its point, or a power of ten above zero; hashes in texts are no numbers. */
const MAY_BE_CHANGED = /(?<![^\s:,[])-?(?:\d{16,}|\d[\d.]*[eE]\+?\d)/;

function isChanged(digits: string): boolean {
  const number = Number(digits);
  if (Math.abs(number) < Number.MAX_SAFE_INTEGER) return false;
  // The usual case, an id: JavaScript writes whole numbers below 10^21 with all their digits.
  if (Math.abs(number) < 1e21 && /^-?\d+$/.test(digits)) return String(number) !== digits;
  return !isExactNumber(digits);
}

/** A number as JSON writes it, which another character than those of a number follows. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE+-])/y;

/** Those that may be changed: most numbers of a body are small, and are not looked at. */
const LARGE_NUMBER =
  /"|(?<![\d.eE+])-?(?:[1-9]\d{15,}(?:\.\d+)?(?:[eE][+-]?\d+)?|(?:0|[1-9]\d*)(?:\.\d+)?[eE]\+?\d+)(?![\d.eE+-])/g;

function* largeNumbersIn(text: string): Generator<WrittenNumber> {
  const pattern = new RegExp(LARGE_NUMBER);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [digits] = match;
    if (digits === '"') pattern.lastIndex = endOfString(text, match.index);
    else yield { digits, offset: match.index };
  }
}

interface WrittenNumber {
  readonly digits: string;
  readonly offset: number;
}

/** The numbers of JSON text, outside its strings. */
function* numbersIn(text: string): Generator<WrittenNumber> {
  const start = /["\d-]/g;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const offset = match.index;
    if (match[0] === '"') {
      start.lastIndex = endOfString(text, offset);
      continue;
    }
    NUMBER.lastIndex = offset;
    const [digits] = NUMBER.exec(text) ?? [];
    if (digits !== undefined) yield { digits, offset };
    start.lastIndex = offset + (digits?.length ?? 1);
  }
}

/** The place after a string that begins at `start`; the end of the text for one that is not closed. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/**
 * The value of JSON text; undefined for other text. Numbers that JavaScript would round become text, which readers
 * also take as IDs and amounts.
 */
export function parsedJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
