export type JsonObject = { [key: string]: unknown };

/** A JSON object: no array, no null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
