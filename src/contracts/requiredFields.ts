import type { Shape } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { members } from '../readers/records';
import { shapeOfFields } from './fields';

// Fields that a contract marks as required from outside of them.

/** A shape whose required fields a list beside its fields names: {fields: {...}, required: ["text"]}. */
export function withRequired(shape: Shape | undefined, required: unknown): Shape | undefined {
  if (shape?.origin !== 'fields' || !Array.isArray(required)) return shape;
  const schema = shape.schema as UnknownObject;
  const names = members(schema.properties as UnknownObject).map(([name]) => name);
  const all = [...new Set([...asList(schema.required), ...required])].filter((name) =>
    names.includes(name as string),
  );
  return all.length === 0 ? shape : { ...shape, schema: { ...schema, required: all as string[] } };
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** {required: {...}, optional: {...}}: two tables of fields, of a type or a list of options with its limits. */
export function shapeOfGroups(record: UnknownObject): Shape | undefined {
  const groups = members(record);
  const isGroups = groups.every(
    ([name, fields]) => /^(?:required|optional)$/i.test(name) && isObject(fields),
  );
  if (!isGroups || groups.length === 0) return undefined;
  const tables = groups.map(([name, fields]) =>
    members(fields as UnknownObject).map(([field, value]) => [
      field,
      { ...fieldOfTuple(value), required: /^required$/i.test(name) },
    ]),
  );
  return shapeOfFields(Object.fromEntries(tables.flat()) as UnknownObject);
}

/** ["INT", {default: 20, min: 1}], [["euler", "ddim"], {}], or a field as elsewhere. */
function fieldOfTuple(value: unknown): UnknownObject {
  if (isObject(value)) return value;
  const [kind, about] = Array.isArray(value) ? (value as unknown[]) : [value];
  const typed = Array.isArray(kind) ? { type: 'enum', options: kind } : { type: kind };
  return { ...typed, ...(isObject(about) ? about : {}) };
}
