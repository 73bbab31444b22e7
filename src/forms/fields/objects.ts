import type { JsonObject } from '../../domain/json';
import { childPointer } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import type { Field, MapField, ObjectField } from '../fieldTypes';
import { initialValue } from '../initialValue';
import { idsField } from '../schema/mediaHints';
import {
  type CompiledSchema,
  childSchema,
  type Schema,
  type SchemaNode,
  schemaMap,
  strings,
} from '../schema/node';
import { inOrder } from '../schema/order';
import { asText, definedMembers, type FieldContext, type FieldPlace, once } from './context';

/** Groups with more members fold the optional ones beyond this, except media. */
const SHOWN_AT_FIRST = 8;
/** Deeper groups start collapsed. */
const OPEN_DEPTH = 2;

/** A field for an object: its named members, or a map where the schema names none. */
export function objectField(context: FieldContext): ObjectField | MapField {
  const { compiled, base, flat, place } = context;
  const { node } = flat;
  const value = isObject(base.value) ? base.value : {};
  const named = schemaMap(node.properties);
  const others = node.additionalProperties ?? node.unevaluatedProperties;
  const [[firstPattern, firstSchema] = []] = Object.entries(schemaMap(node.patternProperties));
  const canAdd = others === true || isObject(others) || firstSchema !== undefined;
  const newEntry = () => initialValue(compiled, isObject(others) ? others : (firstSchema ?? true));

  if (Object.keys(named).length === 0 && (canAdd || others === undefined)) {
    const names = isObject(node.propertyNames) ? asText(node.propertyNames.pattern) : undefined;
    const entries = once(() => extras(context, value));
    return {
      ...base,
      kind: 'map',
      entries,
      newEntry,
      ...definedMembers({ namePattern: names ?? firstPattern }),
    };
  }
  const children = once(() => [...namedMembers(context, value), ...extras(context, value)]);
  const unset = base.value === undefined && !base.required;
  const collapsed = place.depth > 0 && (unset || place.depth > OPEN_DEPTH);
  return { ...base, kind: 'object', children, collapsed, ...(canAdd ? { newEntry } : {}) };
}

function namedMembers(context: FieldContext, value: JsonObject): Field[] {
  const { compiled, base, flat, build } = context;
  const at = (key: string | undefined) => (key === undefined ? undefined : childPointer(base.pointer, key));
  const fields: Field[] = [];
  // A loop and plain literals: this runs for every member at every key, of schemas with hundreds.
  for (const { key, schema, required, late, idsKey, mediaKey } of orderedMembers(compiled, flat.node)) {
    const isSet = Object.hasOwn(value, key);
    // A forbidden member is shown only when it is set, so that it can be removed.
    if (schema === false && !isSet) continue;
    const place: FieldPlace = {
      pointer: childPointer(base.pointer, key),
      key,
      required,
      late,
      depth: context.place.depth + 1,
      idsPointer: at(idsKey),
      mediaPointer: at(mediaKey),
    };
    fields.push(build(schema, isSet ? value[key] : undefined, place));
  }
  return fields;
}

interface Member {
  readonly key: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly late: boolean;
  /** The list of ids beside this list of media, or the other way round. */
  readonly idsKey: string | undefined;
  readonly mediaKey: string | undefined;
}

const members = new WeakMap<SchemaNode, readonly Member[]>();

/** The named members of an object in the order to show. Made once for each schema; the value does not matter. */
function orderedMembers(compiled: CompiledSchema, node: SchemaNode): readonly Member[] {
  const known = members.get(node);
  if (known) return known;
  const named = schemaMap(node.properties);
  const required = new Set(strings(node.required));
  const ordered = inOrder(compiled, named);
  const mediaOf = mediaByIds(named);
  const made = ordered.map(([key, schema], index) => ({
    key,
    schema,
    required: required.has(key),
    late: ordered.length > SHOWN_AT_FIRST && index >= SHOWN_AT_FIRST && !required.has(key),
    idsKey: idsField(key, named),
    mediaKey: mediaOf.get(key),
  }));
  members.set(node, made);
  return made;
}

/** The fields of members that the schema does not name. */
function extras(context: FieldContext, value: JsonObject): Field[] {
  const { node } = context.flat;
  const named = schemaMap(node.properties);
  return Object.keys(value)
    .filter((key) => !Object.hasOwn(named, key))
    .map((key) => {
      const schema = childSchema(context.compiled, node, key, false) || true;
      const pointer = childPointer(context.base.pointer, key);
      const depth = context.place.depth + 1;
      return context.build(schema, value[key], { pointer, key, required: false, depth, extra: true });
    });
}

/** For each list of ids the list of media that they belong to. */
function mediaByIds(named: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(
    Object.keys(named).flatMap((name): [string, string][] => {
      const ids = idsField(name, named);
      return ids === undefined ? [] : [[ids, name]];
    }),
  );
}
