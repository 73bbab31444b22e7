import { tryParseJson } from '../../domain/json';
import { valueText } from '../../domain/words';
import type { Varied } from '../file/format';
import { decimalsOf, type RandomRange } from '../file/randomValues';

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const RANGE = new RegExp(`^${NUMBER} to ${NUMBER}(?: step ${NUMBER})?$`);
const RANDOM = new RegExp(
  String.raw`^(\d{1,5}) random from ${NUMBER} to ${NUMBER}(?: step ${NUMBER})?( log)?(?: seed (-?\d{1,15}))?$`,
);

/**
 * Values as people type them: "1, 3, 5", "1 to 5 step 2", "8 random from 1 to 100 log" or a list in JSON. Undefined:
 * there is none.
 * @param isText values are strings, even "1" and "2.5"
 * @param step of the field: random numbers are multiples of it, unless another one is typed
 */
export function variedFrom(typed: string, isText: boolean, step?: number): Varied | undefined {
  const text = typed.trim();
  const list = text.startsWith('[') ? tryParseJson(text) : undefined;
  if (Array.isArray(list)) return list.length > 0 ? list : undefined;
  const [, from, to, own] = (isText ? null : RANGE.exec(text)) ?? [];
  if (from !== undefined) return { from: Number(from), to: Number(to), step: Number(own ?? 1) };
  const drawn = isText ? null : RANDOM.exec(text);
  if (drawn) return randomFrom(drawn, step);
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.map((part) => (isText ? part : (tryParseJson(part) ?? part)));
}

/** The text that a person types for these values. */
export function variedText(varied: Varied, isText: boolean): string {
  if (!Array.isArray(varied)) {
    if ('random' in varied) return randomText(varied);
    const { from, to, step } = varied;
    return step === 1 ? `${from} to ${to}` : `${from} to ${to} step ${step}`;
  }
  const plain = varied.map((value) => valueText(value)).join(', ');
  const again = variedFrom(plain, isText);
  return JSON.stringify(again) === JSON.stringify(varied) ? plain : JSON.stringify(varied);
}

/** Seed 1 unless another one is typed. */
function randomFrom(
  [, random, from, to, step, log, seed]: RegExpExecArray,
  own: number | undefined,
): Varied | undefined {
  const steps = step === undefined ? own : Number(step);
  if (Number(random) < 1 || steps === 0) return undefined;
  return {
    from: step === undefined && own ? multipleFrom(Number(from), own) : Number(from),
    to: Number(to),
    random: Number(random),
    seed: Number(seed ?? 1),
    ...(steps !== undefined && { step: steps }),
    ...(log !== undefined && { scale: 'log' }),
  };
}

/** The first multiple of a field's step, so that all numbers are. */
function multipleFrom(from: number, step: number): number {
  return Number((Math.ceil(from / step - 1e-9) * step).toFixed(decimalsOf(step))) + 0;
}

function randomText({ from, to, random, seed, step, scale }: RandomRange): string {
  const steps = step === undefined ? '' : ` step ${step}`;
  return `${random} random from ${from} to ${to}${steps}${scale === 'log' ? ' log' : ''} seed ${seed}`;
}
