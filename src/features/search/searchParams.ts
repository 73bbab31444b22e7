import type { ModeContract } from '../../domain/model';
import { compileSchema } from '../../forms/schema/compile';
import { flatten } from '../../forms/schema/flatten';
import { type SchemaNode, schemaMap, typesOf } from '../../forms/schema/node';
import type { ParamValue, SearchParam } from '../../protocol/search';

/** The parameters of a mode that plain controls can show; the run panel has the others. */
export function searchParams(mode: ModeContract): SearchParam[] {
  if (mode.params.origin === 'unknown') return [];
  const compiled = compileSchema(mode.params.schema);
  const root = flatten(compiled, compiled.root, undefined).node;
  return Object.entries(schemaMap(root.properties)).flatMap(([name, schema]) => {
    const shown = paramOf(name, flatten(compiled, schema, undefined).node);
    return shown ? [shown] : [];
  });
}

function paramOf(name: string, node: SchemaNode): SearchParam | undefined {
  const base = {
    name,
    label: typeof node.title === 'string' && node.title !== '' ? node.title : name,
    ...(typeof node.description === 'string' && { description: node.description }),
    ...(isValue(node.default) && { default: node.default }),
  };
  const choices = Array.isArray(node.enum) ? node.enum.filter(isValue) : [];
  if (choices.length > 0) return { ...base, kind: 'choice', choices };
  const types = typesOf(node);
  if (types.includes('boolean')) return { ...base, kind: 'flag' };
  if (!types.includes('integer') && !types.includes('number')) return undefined;
  return {
    ...base,
    kind: 'number',
    integer: !types.includes('number'),
    ...(typeof node.minimum === 'number' && { min: node.minimum }),
    ...(typeof node.maximum === 'number' && { max: node.maximum }),
  };
}

function isValue(value: unknown): value is ParamValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
