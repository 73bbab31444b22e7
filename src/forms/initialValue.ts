import { firstInexact } from '../domain/exactNumbers';
import type { Json, JsonObject } from '../domain/json';
import { greatestOf, leastOf } from '../domain/many';
import { isObject } from '../domain/value';
import { matches } from './evaluation/matches';
import { flatten, formType } from './schema/flatten';
import {
  type CompiledSchema,
  MEDIA_MARK,
  type Schema,
  type SchemaNode,
  schemaList,
  schemaMap,
  strings,
} from './schema/node';

/** Required members are filled this deep: a recursive schema may require itself. */
const MAX_DEPTH = 6;
/** The cost of filling a member, in steps: many that require one another would not end either. */
const FILLED = 100;

/**
 * The value of a place that the user adds: the smallest that the form can show. Required members with a constant
 * or a default are filled, a required string without one is empty, and optional members are left out (they are not
 * sent until the user sets them).
 */
export function initialValue(compiled: CompiledSchema, schema: Schema, depth = 0): Json {
  return filled(compiled, schema, depth) ?? emptyOf(compiled, schema);
}

/** The required members with a value in the schema; always an object. */
export function initialObject(compiled: CompiledSchema, schema: Schema): JsonObject {
  const value = filled(compiled, schema, 0);
  return isObject(value) ? value : {};
}

/** The value that the schema defines; undefined when only the user can give one. */
function filled(compiled: CompiledSchema, schema: Schema, depth: number): Json | undefined {
  if (!compiled.work.spend(FILLED)) return undefined;
  const { node, nullable } = flatten(compiled, schema, undefined);
  if ('const' in node) return node.const as Json;
  const preset = schemaDefault(node);
  if (preset !== undefined && preset !== null && matches(compiled, schema, preset)) return preset;
  if (Array.isArray(node.enum) && node.enum.length === 1) return node.enum[0] as Json;
  if (MEDIA_MARK in node || depth > MAX_DEPTH) return undefined;
  const variant = schemaList(node.oneOf ?? node.anyOf)[0];
  const type = formType(node);
  if (variant !== undefined && type === undefined)
    return nullable ? null : filled(compiled, variant, depth + 1);
  if (type === 'object') return filledObject(compiled, node, variant, depth);
  if (type === 'array') return filledArray(compiled, node, depth);
  return type === 'boolean' ? false : undefined;
}

function filledObject(
  compiled: CompiledSchema,
  node: SchemaNode,
  variant: Schema | undefined,
  depth: number,
): Json {
  const more = variant === undefined ? {} : filled(compiled, variant, depth + 1);
  const named = schemaMap(node.properties);
  const members = strings(node.required).flatMap((key): [string, Json][] => {
    const schema = Object.hasOwn(named, key) ? named[key] : undefined;
    const value = schema === undefined ? undefined : filled(compiled, schema, depth + 1);
    return value === undefined ? [] : [[key, value]];
  });
  return { ...(isObject(more) ? more : {}), ...Object.fromEntries(members) };
}

function filledArray(compiled: CompiledSchema, node: SchemaNode, depth: number): Json {
  const fixed = schemaList(node.prefixItems);
  if (fixed.length > 0) return fixed.map((item) => initialValue(compiled, item, depth + 1));
  const item = (node.items ?? true) as Schema;
  const least = typeof node.minItems === 'number' ? Math.min(node.minItems, 20) : 0;
  const media = MEDIA_MARK in flatten(compiled, item, undefined).node;
  return media ? [] : Array.from({ length: least }, () => initialValue(compiled, item, depth + 1));
}

function emptyOf(compiled: CompiledSchema, schema: Schema): Json {
  const { node } = flatten(compiled, schema, undefined);
  if (MEDIA_MARK in node) return { media_ref: '' };
  if (Array.isArray(node.enum) && node.enum.length > 0) return node.enum[0] as Json;
  const type = formType(node);
  if (type === 'object') return {};
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number')
    return numbersNear(node).find((number) => matches(compiled, schema, number)) ?? 0;
  return type === 'string' || 'type' in node ? '' : null;
}

/**
 * Zero, then the numbers at or next to a bound, whole numbers and multiples first, then the middle: one of them fits.
 */
function numbersNear({
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
  multipleOf,
}: SchemaNode): number[] {
  const isNumber = (bound: unknown) => typeof bound === 'number';
  const lows = [minimum, exclusiveMinimum].filter(isNumber);
  const highs = [maximum, exclusiveMaximum].filter(isNumber);
  const bounds = [...lows, ...highs];
  const step = isNumber(multipleOf) && multipleOf > 0 ? multipleOf : 1;
  // Of a step like 0.5 or 1.5 also those multiples that are whole.
  const steps = [step, [2, 3, 4, 5, 10].map((times) => step * times).find(Number.isInteger) ?? step];
  const beside = steps.flatMap((by) =>
    bounds.flatMap((bound) => [
      Math.ceil(bound / by) * by,
      (Math.floor(bound / by) + 1) * by,
      Math.floor(bound / by) * by,
      (Math.ceil(bound / by) - 1) * by,
    ]),
  );
  const middle = (greatestOf(lows) + leastOf(highs)) / 2;
  // A step that is hardly above zero makes no numbers.
  return [0, ...beside, ...bounds, middle].filter(Number.isFinite);
}

/** The default of a node, parsed where a generator wrote it as text ("1024" for a number, "null" for none). */
export function schemaDefault(node: SchemaNode): Json | undefined {
  if (!('default' in node) || node.default === undefined) return undefined;
  return parsedAs(formType(node), node.default as Json);
}

/** A sample value, parsed where it is text and its type is not. */
export function parsedAs(type: string | undefined, sample: Json): Json {
  if (typeof sample !== 'string' || type === undefined || type === 'string') return sample;
  // As Python writes them.
  if (type === 'boolean' && /^(?:true|false)$/i.test(sample)) return sample.toLowerCase() === 'true';
  try {
    return firstInexact(sample) === undefined ? (JSON.parse(sample) as Json) : sample;
  } catch {
    return sample;
  }
}
