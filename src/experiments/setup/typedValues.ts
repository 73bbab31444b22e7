import { type Json, tryParseJson } from '../../domain/json';
import { isObject, sameJson } from '../../domain/value';
import { valueText } from '../../domain/words';
import { readPattern } from '../../runFiles/pattern';
import type { MetricEntry, Varied } from '../file/format';
import { decimalsOf, type RandomRange } from '../file/randomValues';
import { numberIn } from '../metrics/equality';

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

/** A value as people type it in one line: text is text, unless it has lines or quotes around it. */
export function oneValueText(value: Json): string {
  const isPlain = typeof value === 'string' && !/[\r\n]|^\s*"/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** The value of a typed text, of the kind of another one. */
export function oneValue(typed: string, like: Json): Json {
  const json = tryParseJson(typed);
  if (typeof like === 'string') return typeof json === 'string' ? json : typed;
  return json === undefined ? typed : json;
}

/** The values with one more; undefined where it is one of them. */
export function withValue(values: readonly Json[], value: Json): Json[] | undefined {
  return values.some((one) => sameJson(one, value)) ? undefined : [...values, value];
}

/** The members of a check that can be typed. */
export const TYPED_CHECKS = [
  'matches',
  'contains',
  'equals',
  'oneOf',
  'near',
  'schema',
  'hitsContain',
  'maxSeconds',
  'maxCost',
] as const;
export type TypedCheck = (typeof TYPED_CHECKS)[number];

/** A check from typed text: "3 ± 0.1", "eng, fra", "^[a-z]+$". Undefined: the text is not a check. */
export function checkFrom(
  kind: TypedCheck,
  typed: string,
): Extract<MetricEntry, { check: unknown }>['check'] | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  switch (kind) {
    case 'matches':
      return readPattern(text) ? { matches: text } : undefined;
    case 'contains':
      return { contains: tryParseJson(text) ?? text };
    case 'equals':
      return { equals: tryParseJson(text) ?? text };
    case 'oneOf': {
      const values = variedFrom(text, true);
      return Array.isArray(values) ? { oneOf: values } : undefined;
    }
    case 'hitsContain': {
      const ids = text.split(',').map((id) => id.trim());
      return { hitsContain: ids.filter((id) => id !== '') };
    }
    case 'near': {
      const [value, tolerance, ...others] = text
        .split(/[\s±]|\+\/-/)
        .filter((part) => part !== '')
        .map(numberIn);
      const isNear = value !== undefined && tolerance !== undefined && tolerance >= 0 && others.length === 0;
      return isNear ? { near: { value, tolerance } } : undefined;
    }
    case 'schema': {
      const schema = tryParseJson(text);
      return isObject(schema) ? { schema } : undefined;
    }
    case 'maxSeconds':
    case 'maxCost': {
      const limit = numberIn(text);
      return limit !== undefined && limit >= 0 ? { [kind]: limit } : undefined;
    }
  }
}
