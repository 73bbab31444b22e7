import type { UnknownObject } from '../../domain/value';
import { isObject } from '../../domain/value';
import { members } from './records';
import { schemaOfTypeName } from './typeNames';

// JSON Type Definition (RFC 8927), which has words of JSON Schema for other things, as JSON Schema.

const OWN_TYPE = /^(?:timestamp|u?int(?:8|16|32)|float(?:32|64))$/;
/** Larger ones are read in part. */
const MOST_PARTS = 5000;
const FORMS = ['optionalProperties', 'elements', 'values', 'mapping'];

/**
 * Whether a record is a type definition and no JSON Schema: it has members that may be missing, or all that it has are
 * forms of such a definition, and one of them is nothing else.
 */
export function isTypeDefinition(value: UnknownObject): boolean {
  if (typeof value.type === 'string' || Array.isArray(value.type) || '$schema' in value) return false;
  const { properties, optionalProperties } = value;
  if (!isObject(properties) && !isObject(optionalProperties)) return false;
  const parts = [properties, optionalProperties].flatMap((part) =>
    isObject(part) ? members(part).map(([, each]) => each) : [],
  );
  if (!parts.every(isForm)) return false;
  return isObject(optionalProperties) || parts.some((part) => isObject(part) && isOwn(part));
}

function isForm(value: unknown): boolean {
  if (!isObject(value)) return false;
  return members(value).every(([key]) =>
    /^(?:type|enum|elements|(?:optionalP|additionalP|p)roperties|values|discriminator|mapping|ref|nullable|metadata)$/.test(
      key,
    ),
  );
}

function isOwn(form: UnknownObject): boolean {
  return (
    (typeof form.type === 'string' && OWN_TYPE.test(form.type)) ||
    FORMS.some((name) => isObject(form[name])) ||
    typeof form.ref === 'string'
  );
}

/** The JSON Schema of a type definition. */
export function schemaOfTypeDefinition(root: UnknownObject): UnknownObject {
  const budget = { parts: MOST_PARTS };
  const { definitions } = root;
  return {
    ...schemaOf(root, budget),
    ...(isObject(definitions) && { definitions: eachOf(definitions, budget) }),
  };
}

type Budget = { parts: number };

function schemaOf(form: unknown, budget: Budget, depth = 0): UnknownObject {
  if (!isObject(form) || budget.parts-- <= 0 || depth > 50) return {};
  const { metadata, nullable } = form as UnknownObject;
  const about = isObject(metadata) ? (metadata as UnknownObject).description : undefined;
  return {
    ...typed(form as UnknownObject, budget, depth + 1),
    ...(typeof about === 'string' && { description: about }),
    ...(nullable === true && { nullable }),
  };
}

function typed(form: UnknownObject, budget: Budget, depth: number): UnknownObject {
  const { type, elements, values, ref, mapping, discriminator } = form;
  if (typeof ref === 'string')
    return { $ref: `#/definitions/${ref.replaceAll('~', '~0').replaceAll('/', '~1')}` };
  if (typeof type === 'string') return schemaOfTypeName(type) ?? {};
  if (Array.isArray(form.enum)) return { type: 'string', enum: form.enum };
  if (isObject(elements)) return { type: 'array', items: schemaOf(elements, budget, depth) };
  if (isObject(values)) return { type: 'object', additionalProperties: schemaOf(values, budget, depth) };
  if (isObject(mapping) && typeof discriminator === 'string')
    return {
      oneOf: members(mapping).map(([name, each]) =>
        tagged(schemaOf(each, budget, depth), discriminator, name),
      ),
    };
  const { properties, optionalProperties } = form;
  if (!isObject(properties) && !isObject(optionalProperties)) return {};
  const required = isObject(properties) ? members(properties).map(([name]) => name) : [];
  return {
    type: 'object',
    properties: {
      ...(isObject(properties) && eachOf(properties, budget, depth)),
      ...(isObject(optionalProperties) && eachOf(optionalProperties, budget, depth)),
    },
    ...(required.length > 0 && { required }),
    ...(form.additionalProperties !== true && { additionalProperties: false }),
  };
}

function eachOf(table: UnknownObject, budget: Budget, depth = 0): UnknownObject {
  return Object.fromEntries(members(table).map(([name, each]) => [name, schemaOf(each, budget, depth)]));
}

/** A variant with the member that says which one it is. */
function tagged(variant: UnknownObject, tag: string, name: string): UnknownObject {
  const required = Array.isArray(variant.required) ? variant.required : [];
  const properties = { [tag]: { const: name }, ...(isObject(variant.properties) && variant.properties) };
  return { ...variant, title: name, properties, required: [tag, ...required] };
}
