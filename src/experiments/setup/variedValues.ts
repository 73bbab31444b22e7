import type { Json } from '../../domain/json';
import type { Varied } from '../format';

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const RANGE = new RegExp(`^${NUMBER} to ${NUMBER}(?: step ${NUMBER})?$`);

/**
 * Values as people type them: "1, 3, 5", "1 to 5 step 2" or a list in JSON. Undefined: there is none.
 * @param isText values are strings, even "1" and "2.5"
 */
export function variedFrom(typed: string, isText: boolean): Varied | undefined {
  const text = typed.trim();
  const list = text.startsWith('[') ? jsonIn(text) : undefined;
  if (Array.isArray(list)) return list.length > 0 ? list : undefined;
  const [, from, to, step] = (isText ? null : RANGE.exec(text)) ?? [];
  if (from !== undefined) return { from: Number(from), to: Number(to), step: Number(step ?? 1) };
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.map((part) => (isText ? part : (jsonIn(part) ?? part)));
}

/** The text that a person types for these values. */
export function variedText(varied: Varied, isText: boolean): string {
  if (!Array.isArray(varied)) {
    const { from, to, step } = varied as { from: number; to: number; step: number };
    return step === 1 ? `${from} to ${to}` : `${from} to ${to} step ${step}`;
  }
  const plain = varied.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
  const again = variedFrom(plain, isText);
  return JSON.stringify(again) === JSON.stringify(varied) ? plain : JSON.stringify(varied);
}

/** A value that is written as JSON; undefined: it is none. */
export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
