import { isObject, type UnknownObject } from '../domain/value';
import { members } from '../readers/records';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Keywords of JSON Schema. */
const KEYWORDS =
  /^(?:type|title|description|default|examples?|enum|const|format|items|required|additionalProperties|pattern|nullable|\$.*|x-.*|m(?:in|ax).*|exclusiveM.*|content.*|unevaluated.*|prefixItems|contains|uniqueItems|multipleOf|propertyNames|patternProperties|dependent.*|if|then|else|not|definitions|readOnly|writeOnly|deprecated)$/;

/** A document's own schema may also be under `$schema`. */
const DRAFT = /json-schema\.org\//;

/** Whether a record is a JSON Schema, and not data that happens to have a `type`. */
export function isSchema(value: UnknownObject): boolean {
  const { type, properties } = value;
  if (typeof value.$ref === 'string') return true;
  const areSchemas = (items: readonly unknown[]) =>
    items.every((item) => isObject(item) || typeof item === 'boolean');
  if (isObject(properties) && areSchemas(members(properties).map(([, each]) => each)))
    return type === undefined || isSchemaType(type);
  if (typeof value.$schema === 'string' && DRAFT.test(value.$schema)) return true;
  if (isCombination(value)) return true;
  // {type: "string"} alone, or with other keywords, describes; with other names it is a field called `type`.
  return isSchemaType(type) && members(value).every(([key]) => KEYWORDS.test(key));
}

/** Whether a record combines schemas: {allOf: [{$ref}], title}. */
export function isCombination({ anyOf, oneOf, allOf }: UnknownObject): boolean {
  return [anyOf, oneOf, allOf].some((parts) => Array.isArray(parts) && parts.every((part) => isObject(part)));
}

function isSchemaType(type: unknown): boolean {
  return Array.isArray(type)
    ? type.length > 0 && type.every((item) => TYPES.has(item as string))
    : typeof type === 'string' && TYPES.has(type);
}
