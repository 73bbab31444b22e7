import { readAmount } from './amounts';

/**
 * JSON text as a value, in which a number from 2^53 on that JavaScript would round (an id, an amount in the smallest
 * unit) is what `keep` makes of its digits. Smaller numbers are as `JSON.parse` has them.
 * @throws SyntaxError text that is no JSON
 */
export function parseExactly(text: string, keep: (digits: string) => unknown): unknown {
  // A reviver is called for every member of a body that may have millions; few bodies have such a number.
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  const reviver = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && isRounded(value, context.source)
      ? keep(context.source)
      : value;
  return JSON.parse(text, reviver);
}

/** Keeps a number for `JSON.stringify`, which writes these digits (of ECMAScript's JSON.parse source text access; in Node.js 22 and every current browser). */
export function asWritten(digits: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
}

/** The whole part of every such number has at least as many digits as 2^53. */
const MANY_DIGITS = /(?<![\d.])\d{16,}/;

function isRounded(value: number, source: string): boolean {
  if (Math.abs(value) < Number.MAX_SAFE_INTEGER) return false;
  const exact = readAmount(source);
  // More digits than an amount may have are more than a number can have, too; 1e300 is as it was written.
  return exact === undefined ? !/e/i.test(source) : exact !== readAmount(value);
}
