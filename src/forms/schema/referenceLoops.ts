import { isObject } from '../../domain/value';
import { type Schema, type SchemaNode, schemaList, schemaMap, UNCHECKED } from './node';

/** The subschemas that apply to the same value as their parent: following them never moves down in the value. */
function inPlace(node: SchemaNode): readonly Schema[] {
  const single = ['not', 'if', 'then', 'else'].flatMap((key) => (key in node ? [node[key] as Schema] : []));
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => schemaList(node[key]));
  return [...single, ...lists, ...Object.values(schemaMap(node.dependentSchemas))];
}

/**
 * Removes references that lead back to themselves without moving down in the value (`{ $ref: "#" }`), on which a
 * validator would never end. Changes the schemas in `lookup`; returns whether it changed any.
 */
export function breakLoops(lookup: Readonly<Record<string, Schema>>): boolean {
  let changed = false;
  const state = new Map<string, 'open' | 'done'>();

  const follow = (schema: Schema | undefined): void => {
    if (!isObject(schema)) return;
    const target = schema.$ref;
    if (typeof target === 'string') {
      if (state.get(target) === 'open') {
        delete (schema as Record<string, unknown>).$ref;
        (schema as Record<string, unknown>)[UNCHECKED] = true;
        changed = true;
      } else visit(target);
    }
    for (const child of inPlace(schema)) follow(child);
  };
  const visit = (name: string): void => {
    if (state.has(name)) return;
    state.set(name, 'open');
    follow(lookup[name]);
    state.set(name, 'done');
  };
  // Every loop passes through a reference's target, and all of those have names.
  for (const name of Object.keys(lookup)) visit(name);
  return changed;
}
