import { childPointer } from '../../domain/pointer';
import type { ArrayField, Field, MediaListField, StringListField, TupleField } from '../fieldTypes';
import { initialValue } from '../initialValue';
import { flatten, formType } from '../schema/flatten';
import { type Schema, type SchemaNode, schemaList } from '../schema/node';
import { asNumber, definedMembers, type FieldContext, type ListParts, once } from './context';
import { mediaListField, mediaMark } from './media';
import { enumOptions } from './scalars';

/** A field for an array: fixed places, files, strings in a row, or any items. */
export function arrayField(
  context: FieldContext,
): ArrayField | TupleField | MediaListField | StringListField {
  const { compiled, base, flat, place, build } = context;
  const { node } = flat;
  const value = Array.isArray(base.value) ? base.value : [];
  const itemSchema = (node.items ?? true) as Schema;
  const fixed = schemaList(node.prefixItems);
  const item = (index: number): Field =>
    build(fixed[index] ?? itemSchema, value[index], {
      pointer: childPointer(base.pointer, index),
      key: String(index),
      item: { number: index + 1, one: index < fixed.length },
      required: true,
      depth: place.depth + 1,
    });
  const bounds = definedMembers({ minItems: asNumber(node.minItems), maxItems: asNumber(node.maxItems) });
  const parts: ListParts = { value, bounds, item };
  if (fixed.length > 0) return tupleField(context, fixed.length, parts);

  const flatItem = flatten(compiled, itemSchema, undefined);
  const mark = mediaMark(flatItem.node);
  const media = mark && mediaListField(context, mark, parts);
  if (media) return media;
  const isStrings = value.every((entry) => typeof entry === 'string');
  if (isStrings && isChip(flatItem.node) && !flatItem.nullable) {
    const options = enumOptions(flatItem.node);
    const ids = definedMembers({ mediaPointer: place.mediaPointer });
    return { ...base, kind: 'stringList', options, ...bounds, ...ids };
  }
  const items = once(() => value.map((_, index) => item(index)));
  const newItem = () => initialValue(compiled, itemSchema);
  return { ...base, kind: 'array', items, newItem, ...bounds };
}

function tupleField(
  { compiled, base, flat }: FieldContext,
  fixed: number,
  { value, item }: ListParts,
): TupleField {
  const { items: rest, maxItems } = flat.node;
  const count = Math.max(fixed, value.length);
  const items = once(() => Array.from({ length: count }, (_, index) => item(index)));
  const isOpen =
    rest !== undefined && rest !== false && (asNumber(maxItems) ?? Number.POSITIVE_INFINITY) > count;
  const more = isOpen ? { newItem: () => initialValue(compiled, rest as Schema) } : {};
  return { ...base, kind: 'tuple', items, fixed, ...more };
}

/** Formats with a control of their own: these strings, and long ones, are a list of fields instead of chips. */
const OWN_CONTROL = /^(date|time|date-time|color|textarea|multiline|markdown|password)$/;

function isChip(node: SchemaNode): boolean {
  const listed = Array.isArray(node.enum) && node.enum.every((option) => typeof option === 'string');
  if (!listed && (formType(node) !== 'string' || 'enum' in node)) return false;
  return !OWN_CONTROL.test(String(node.format ?? '')) && !('const' in node);
}
