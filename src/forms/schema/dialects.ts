import { isObject } from '../../domain/value';
import { words } from '../../domain/words';
import { type Schema, type SchemaNode, strings } from './node';

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
/** Names of the types of JSON Schema in hand-written contracts. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ...named('integer', 'int int32 int64 long'),
  ...named('number', 'float double decimal'),
  ...named('boolean', 'bool'),
  ...named('string', 'str text textarea url date'),
  ...named('array', 'list'),
  ...named('object', 'dict map'),
  ...named('null', 'none'),
]);

function named(type: string, names: string): [string, string][] {
  return words(names).map((name) => [name, type]);
}

/** A `type` keyword with only the names of JSON Schema in it; undefined when none is left. */
export function schemaType(type: unknown): string | string[] | undefined {
  const names = typeof type === 'string' ? [type] : strings(type);
  const known = names
    .map((name) => TYPE_NAMES.get(name.toLowerCase()) ?? name)
    .filter((name) => TYPES.has(name));
  const unique = [...new Set(known)];
  return unique.length > 1 ? unique : unique[0];
}

/** Draft 4's `exclusiveMinimum: true` becomes the number; a later number stays. */
export function exclusiveBounds(raw: SchemaNode, node: Record<string, unknown>): void {
  for (const [exclusive, plain] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof raw[exclusive] === 'number') node[exclusive] = raw[exclusive];
    else if (raw[exclusive] === true && plain in node) {
      node[exclusive] = node[plain];
      delete node[plain];
    }
  }
}

/** OpenAPI's `nullable: true` as a type of its own. */
export function withNull(raw: SchemaNode, node: Record<string, unknown>): Schema {
  if (raw.nullable !== true && raw['x-nullable'] !== true) return node;
  const { type, ...rest } = node;
  const combined = ['$ref', 'allOf', 'anyOf', 'oneOf', 'const'].some((key) => key in rest);
  if (type !== undefined && !combined) {
    const types = [...new Set([...(typeof type === 'string' ? [type] : strings(type)), 'null'])];
    const options = Array.isArray(rest.enum) ? { enum: [...new Set([...rest.enum, null])] } : {};
    return { ...rest, ...options, type: types };
  }
  if (type === undefined && !combined && !('enum' in rest)) return node;
  const annotations = Object.entries(node).filter(([key]) => ANNOTATION.test(key));
  return { ...Object.fromEntries(annotations), anyOf: [node, { type: 'null' }] };
}

const ANNOTATION = /^(title|description|default|examples|deprecated|readOnly|writeOnly|x-.*|advanced|group)$/;

/** The `dependencies` of old drafts, sorted into the two keywords of the new ones. */
export function schemaDependencies(raw: SchemaNode): {
  readonly required: Record<string, string[]>;
  readonly schemas: Record<string, unknown>;
} {
  const required: [string, string[]][] = [];
  const schemas: [string, unknown][] = [];
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    const map = isObject(raw[keyword]) ? raw[keyword] : {};
    for (const [key, value] of Object.entries(map)) {
      if (Array.isArray(value)) required.push([key, [...strings(value)]]);
      else if (typeof value === 'string') required.push([key, [value]]);
      else if (isObject(value) || typeof value === 'boolean') schemas.push([key, value]);
    }
  }
  return { required: Object.fromEntries(required), schemas: Object.fromEntries(schemas) };
}

/** Draft 3 and many field lists write `required: true` on the property itself. */
export function isMarkedRequired([, schema]: [string, unknown]): boolean {
  return isObject(schema) && schema.required === true;
}
