import type { JsonObject } from '../../domain/json';
import { childPointer } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import type { Field, MapField, ObjectField } from '../fieldTypes';
import { initialValue } from '../initialValue';
import { idsOf } from '../schema/mediaHints';
import { childSchema, schemaMap, strings } from '../schema/node';
import { inOrder } from '../schema/order';
import { type Context, known, once, type Place, textOf } from './context';

/** Groups with more members fold the optional ones beyond this, except media. */
const SHOWN_AT_FIRST = 8;
/** Deeper groups start collapsed. */
const OPEN_DEPTH = 2;

/** A field for an object: its named members, or a map where the schema names none. */
export function objectField(context: Context): ObjectField | MapField {
  const { compiled, base, flat, place } = context;
  const { node } = flat;
  const value = isObject(base.value) ? base.value : {};
  const named = schemaMap(node.properties);
  const others = node.additionalProperties ?? node.unevaluatedProperties;
  const [[firstPattern, firstSchema] = []] = Object.entries(schemaMap(node.patternProperties));
  const canAdd = others === true || isObject(others) || firstSchema !== undefined;
  const newEntry = () => initialValue(compiled, isObject(others) ? others : (firstSchema ?? true));

  if (Object.keys(named).length === 0 && (canAdd || others === undefined)) {
    const names = isObject(node.propertyNames) ? textOf(node.propertyNames.pattern) : undefined;
    const entries = once(() => extras(context, value));
    return { ...base, kind: 'map', entries, newEntry, ...known({ namePattern: names ?? firstPattern }) };
  }
  const children = once(() => [...namedMembers(context, value), ...extras(context, value)]);
  const unset = base.value === undefined && !base.required;
  const collapsed = place.depth > 0 && (unset || place.depth > OPEN_DEPTH);
  return { ...base, kind: 'object', children, collapsed, ...(canAdd ? { newEntry } : {}) };
}

function namedMembers(context: Context, value: JsonObject): Field[] {
  const { compiled, base, flat, build } = context;
  const named = schemaMap(flat.node.properties);
  const required = new Set(strings(flat.node.required));
  const ordered = inOrder(compiled, named);
  const folds = ordered.length > SHOWN_AT_FIRST;
  const mediaOf = mediaByIds(named);
  const pointerOf = (key: string | undefined) =>
    key === undefined ? undefined : childPointer(base.pointer, key);
  return ordered.flatMap(([key, schema], index): Field[] => {
    const isSet = Object.hasOwn(value, key);
    // A forbidden member is shown only when it is set, so that it can be removed.
    if (schema === false && !isSet) return [];
    const field = build(schema, isSet ? value[key] : undefined, {
      ...placeOf(context, key),
      required: required.has(key),
      ...known({
        idsPointer: pointerOf(idsOf(key, named)),
        mediaPointer: pointerOf(mediaOf.get(key)),
      }),
    });
    const late = folds && index >= SHOWN_AT_FIRST && !required.has(key);
    return [late && !isMedia(field) ? { ...field, advanced: true } : field];
  });
}

/** The fields of members that the schema does not name. */
function extras(context: Context, value: JsonObject): Field[] {
  const { node } = context.flat;
  const named = schemaMap(node.properties);
  return Object.keys(value)
    .filter((key) => !Object.hasOwn(named, key))
    .map((key) => {
      const schema = childSchema(node, key, false) || true;
      return context.build(schema, value[key], { ...placeOf(context, key), extra: true });
    });
}

function placeOf({ base, place }: Context, key: string): Place {
  return { pointer: childPointer(base.pointer, key), key, required: false, depth: place.depth + 1 };
}

function isMedia({ kind }: Field): boolean {
  return kind === 'media' || kind === 'mediaList';
}

/** For each list of ids the list of media that they belong to. */
function mediaByIds(named: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(
    Object.keys(named).flatMap((name): [string, string][] => {
      const ids = idsOf(name, named);
      return ids === undefined ? [] : [[ids, name]];
    }),
  );
}
