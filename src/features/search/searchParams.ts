import type { JsonObject } from '../../domain/json';
import type { ModeContract } from '../../domain/model';
import { ownOf } from '../../domain/value';
import { formOf } from '../../forms/buildForm';
import type { Field } from '../../forms/fieldTypes';
import type { SearchParam } from '../../protocol/search';

/** The parameters of a mode as the run panel's form has them; those that no plain control can show are JSON. */
export function searchParams({ params }: ModeContract, values: JsonObject = {}): SearchParam[] {
  if (params.origin === 'unknown') return [];
  const form = formOf(params.schema, values, '/params');
  return form.kind === 'object'
    ? form
        .children()
        .filter(({ extra }) => !extra)
        .map(paramOf)
    : [];
}

export function chosenParams(mode: ModeContract, values: JsonObject): JsonObject {
  const entered = searchParams(mode).map(({ name }) => [name, ownOf(values, name)] as const);
  return Object.fromEntries(entered.filter(([, value]) => value !== undefined)) as JsonObject;
}

function paramOf(field: Field): SearchParam {
  const { key: name, label, description, default: fallback } = field;
  const base = {
    name,
    label,
    description,
    ...(fallback !== undefined && { default: fallback }),
  };
  switch (field.kind) {
    case 'number': {
      const { integer, min, max } = field;
      return {
        ...base,
        kind: 'number',
        integer,
        min,
        max,
      };
    }
    case 'boolean':
      return {
        ...base,
        kind: 'choice',
        choices: [true, false].map((value) => ({ value, label: String(value) })),
      };
    case 'enum':
      return {
        ...base,
        kind: 'choice',
        choices: field.options.map(({ value, label: name }) => ({ value, label: name })),
      };
    case 'const':
      return {
        ...base,
        kind: 'choice',
        choices: [{ value: field.constant, label: JSON.stringify(field.constant) }],
      };
    case 'text':
      return { ...base, kind: 'text' };
    default:
      return { ...base, kind: 'json' };
  }
}
