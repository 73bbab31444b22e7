import { isObject } from '../../domain/value';
import { schemaType } from './dialects';
import { strings } from './node';

type Rule = (value: unknown) => boolean;
const isSchema: Rule = (value) => isObject(value) || typeof value === 'boolean';
const isList: Rule = (value) => Array.isArray(value);
const isNumber: Rule = (value) => Number.isFinite(value);
const isText: Rule = (value) => typeof value === 'string';

const RULES: readonly (readonly [keywords: string, rule: Rule])[] = [
  ['minimum maximum minLength maxLength minItems maxItems minProperties maxProperties', isNumber],
  ['minContains maxContains', isNumber],
  ['multipleOf divisibleBy', (value) => typeof value === 'number' && value > 0],
  ['exclusiveMinimum exclusiveMaximum', (value) => isNumber(value) || typeof value === 'boolean'],
  ['pattern $ref $dynamicRef', isText],
  ['allOf anyOf oneOf', (value) => isList(value) && (value as unknown[]).length > 0],
  ['enum prefixItems', isList],
  ['not if then else contains propertyNames unevaluatedItems unevaluatedProperties', isSchema],
  ['additionalProperties additionalItems', isSchema],
  ['items', (value) => isSchema(value) || isList(value)],
  ['properties patternProperties dependencies dependentRequired dependentSchemas', isObject],
  ['required', (value) => isList(value) || typeof value === 'boolean'],
  ['type', isKnownType],
];

/** By keyword, the rule for its value. Two are not evaluated at all: one of draft 3, one of the draft to come. */
const BY_KEYWORD = new Map<string, Rule>([
  ...RULES.flatMap(([keywords, rule]) =>
    keywords.split(' ').map((keyword): [string, Rule] => [keyword, rule]),
  ),
  ['disallow', () => false],
  ['propertyDependencies', () => false],
]);

/** Whether a keyword of a raw schema has a value that no draft allows, so that only its author knows its meaning. */
export function malformed(raw: { readonly [keyword: string]: unknown }): boolean {
  return Object.keys(raw).some((key) => BY_KEYWORD.get(key)?.(raw[key]) === false);
}

/** Whether every name of a `type` is understood: of two names, the unknown one may be the important one. */
export function isKnownType(type: unknown): boolean {
  const names = typeof type === 'string' ? [type] : strings(type);
  const all = Array.isArray(type) ? type.length : names.length;
  return names.length === all && all > 0 && names.every((name) => schemaType(name) !== undefined);
}
