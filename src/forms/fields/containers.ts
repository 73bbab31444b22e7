import { childPointer } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import type {
  ArrayField,
  Field,
  MapField,
  MediaField,
  MediaListField,
  ObjectField,
  StringListField,
  TupleField,
} from '../fieldTypes';
import { initialValue } from '../initialValue';
import { flatten, formType } from '../schema/flatten';
import { acceptOf, idsOf } from '../schema/mediaHints';
import {
  MEDIA_MARK,
  type MediaMark,
  type Schema,
  type SchemaNode,
  schemaList,
  schemaMap,
  strings,
} from '../schema/node';
import { inOrder } from '../schema/order';
import { type Context, known, numberOf, once, type Place, textOf } from './context';
import { enumOptions } from './scalars';

/** Groups with more members fold the optional ones beyond this, but for media, which a model is mostly about. */
const SHOWN_AT_FIRST = 8;
/** Deeper groups start collapsed. */
const OPEN_DEPTH = 2;

export function mediaField({ base, flat, place }: Context, mark: MediaMark): MediaField {
  const accept = mark.accept.length > 0 ? mark.accept : acceptOf(place.label ?? base.key, flat.node);
  return { ...base, kind: 'media', accept, textAllowed: mark.text };
}

export function arrayField(context: Context): ArrayField | TupleField | MediaListField | StringListField {
  const { compiled, base, flat, place, build } = context;
  const { node } = flat;
  const value = Array.isArray(base.value) ? base.value : [];
  const itemSchema = (node.items ?? true) as Schema;
  const fixed = schemaList(node.prefixItems);
  const item = (schema: Schema, index: number): Field =>
    build(schema, value[index], {
      pointer: childPointer(base.pointer, index),
      key: String(index),
      item: { number: index + 1, one: index < fixed.length },
      required: true,
      depth: place.depth + 1,
    });
  const bounds = known({ minItems: numberOf(node.minItems), maxItems: numberOf(node.maxItems) });
  const unique = node.uniqueItems === true;

  if (fixed.length > 0) {
    const count = Math.max(fixed.length, value.length);
    const items = once(() => Array.from({ length: count }, (_, i) => item(fixed[i] ?? itemSchema, i)));
    const open = node.items !== false && (numberOf(node.maxItems) ?? Number.POSITIVE_INFINITY) > count;
    const more = open && 'items' in node ? { newItem: () => initialValue(compiled, itemSchema) } : {};
    return { ...base, kind: 'tuple', items, fixed: fixed.length, ...more };
  }
  const flatItem = flatten(compiled, itemSchema, undefined);
  const mark = flatItem.node[MEDIA_MARK] as MediaMark | undefined;
  if (mark && value.every((entry) => isObject(entry) || typeof entry === 'string')) {
    const own = acceptOf(base.key, node);
    const accept = mark.accept.length > 0 ? mark.accept : own;
    const items = once(() =>
      value.map((entry, index): MediaField => {
        const made = item(itemSchema, index);
        return { ...made, kind: 'media', value: entry, accept, textAllowed: mark.text };
      }),
    );
    const ids = known({ idsPointer: place.idsPointer });
    return { ...base, kind: 'mediaList', accept, textAllowed: mark.text, items, ...bounds, ...ids };
  }
  const texts = value.every((entry) => typeof entry === 'string');
  if (texts && isChip(flatItem.node) && !flatItem.nullable) {
    const options = enumOptions(flatItem.node);
    return {
      ...base,
      kind: 'stringList',
      options,
      unique,
      ...bounds,
      ...known({ mediaPointer: place.mediaPointer }),
    };
  }
  const items = once(() => value.map((_, index) => item(itemSchema, index)));
  return {
    ...base,
    kind: 'array',
    items,
    newItem: () => initialValue(compiled, itemSchema),
    unique,
    ...bounds,
  };
}

/** Texts of one line are chips; long ones and formats with a control of their own are a list of fields. */
function isChip(node: SchemaNode): boolean {
  const listed = Array.isArray(node.enum) && node.enum.every((option) => typeof option === 'string');
  if (!listed && (formType(node) !== 'string' || 'enum' in node)) return false;
  const format = String(node.format ?? '');
  return (
    !/^(date|time|date-time|color|textarea|multiline|markdown|password)$/.test(format) && !('const' in node)
  );
}

export function objectField(context: Context): ObjectField | MapField {
  const { compiled, base, flat, place, build } = context;
  const { node } = flat;
  const value = isObject(base.value) ? base.value : {};
  const named = schemaMap(node.properties);
  const others = node.additionalProperties ?? node.unevaluatedProperties;
  const patterns = Object.entries(schemaMap(node.patternProperties));
  const entrySchema = (key: string): Schema =>
    patterns.find(([pattern]) => new RegExp(pattern, 'u').test(key))?.[1] ??
    (others === undefined || others === false ? true : (others as Schema));
  const place_ = (key: string): Place => ({
    pointer: childPointer(base.pointer, key),
    key,
    required: false,
    depth: place.depth + 1,
  });
  const entry = (key: string): Field => build(entrySchema(key), value[key], { ...place_(key), extra: true });
  const extras = () =>
    Object.keys(value)
      .filter((key) => !Object.hasOwn(named, key))
      .map(entry);
  const firstPattern = patterns[0]?.[1];
  const canAdd = others === true || isObject(others) || firstPattern !== undefined;
  const newEntry = () => initialValue(compiled, isObject(others) ? others : (firstPattern ?? true));

  if (Object.keys(named).length === 0 && (canAdd || others === undefined)) {
    const names = isObject(node.propertyNames) ? textOf(node.propertyNames.pattern) : undefined;
    return {
      ...base,
      kind: 'map',
      entries: once(extras),
      newEntry,
      ...known({ namePattern: names ?? patterns[0]?.[0] }),
    };
  }
  const children = once(() => {
    const required = new Set(strings(node.required));
    const ordered = inOrder(compiled, named);
    const folds = ordered.length > SHOWN_AT_FIRST;
    const mediaOf = mediaByIds(named);
    const fields = ordered.flatMap(([key, schema], index): Field[] => {
      // A forbidden member is shown only where it stands, so that it can be taken out.
      if (schema === false && !Object.hasOwn(value, key)) return [];
      const own = Object.hasOwn(value, key) ? value[key] : undefined;
      const late = folds && index >= SHOWN_AT_FIRST && !required.has(key);
      const ids = idsOf(key, named);
      const field = build(schema, own, {
        ...place_(key),
        required: required.has(key),
        ...(ids ? { idsPointer: childPointer(base.pointer, ids) } : {}),
        ...known({ mediaPointer: mediaOf.get(key) && childPointer(base.pointer, mediaOf.get(key)!) }),
      });
      return [late && !isMedia(field) ? { ...field, advanced: true } : field];
    });
    return [...fields, ...extras()];
  });
  const unset = base.value === undefined && !base.required;
  const collapsed = place.depth > 0 && (unset || place.depth > OPEN_DEPTH);
  return { ...base, kind: 'object', children, collapsed, ...(canAdd ? { newEntry } : {}) };
}

function isMedia({ kind }: Field): boolean {
  return kind === 'media' || kind === 'mediaList';
}

/** Of each list of ids the list of media that they are for. */
function mediaByIds(named: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const names = Object.keys(named);
  return new Map(
    names.flatMap((name): [string, string][] => {
      const ids = idsOf(name, named);
      return ids === undefined ? [] : [[ids, name]];
    }),
  );
}
