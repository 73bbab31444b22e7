import * as z from 'zod/mini';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A JSON Schema of any draft, as the service sent it. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/**
 * Our own instead of zod's `json` and `record`, which copy a value and leave out a member named `__proto__`: the kept
 * value would differ from the entered one.
 */
export const json = z.custom<Json>(isJson);
export const jsonObject = z.custom<JsonObject>((value) => isPlain(value) && isJson(value));
export const jsonSchema = z.custom<JsonSchema>((value) => typeof value === 'boolean' || isPlain(value));

function isJson(value: unknown): value is Json {
  if (Array.isArray(value)) return value.every(isJson);
  if (isPlain(value)) return Object.values(value).every(isJson);
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** The value of JSON text; undefined for other text. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object, of any realm, that is of no class: no list, bytes or date. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
