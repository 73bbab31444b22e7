import { isObject, type UnknownObject } from '../domain/value';
import { members } from '../readers/records';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const KEYWORDS =
  /^(?:type|title|description|default|examples?|enum|const|format|items|required|additionalProperties|pattern|nullable|\$.*|x-.*|m(?:in|ax).*|exclusiveM.*|content.*|unevaluated.*|prefixItems|contains|uniqueItems|multipleOf|propertyNames|patternProperties|dependent.*|if|then|else|not|definitions|readOnly|writeOnly|deprecated)$/;

/** A document's own schema may also be under `$schema`. */
const DRAFT = /json-schema\.org\//;

/** Whether a record is a JSON Schema, and not data that happens to have a `type`. */
export function isSchema(value: UnknownObject): boolean {
  const { type, properties } = value;
  if (typeof value.$ref === 'string') return true;
  const mayBeOne = (value: unknown) => isObject(value) || typeof value === 'boolean';
  if (isObject(properties) && members(properties).every(([, each]) => mayBeOne(each)))
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
  const types: unknown[] = [type].flat();
  return types.length > 0 && types.every((item) => TYPES.has(item as string));
}
