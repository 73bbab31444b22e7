import type { Json, JsonSchema } from '../../../src/domain/json';
import { setAt } from '../../../src/domain/value';
import { formOf, initialInput } from '../../../src/forms/buildForm';
import type { Field } from '../../../src/forms/fieldTypes';

function inside(field: Field): readonly Field[] {
  switch (field.kind) {
    case 'object':
      return field.children();
    case 'map':
      return field.entries();
    case 'array':
    case 'tuple':
    case 'mediaList':
      return field.items();
    case 'choice': {
      const content = field.content();
      return content ? [content] : [];
    }
    default:
      return [];
  }
}

/** A field and all below it, down to the value's depth or `depth` more levels. */
export function walk(field: Field, depth = 8): Field[] {
  if (depth === 0 && field.value === undefined) return [field];
  return [field, ...inside(field).flatMap((inner) => walk(inner, Math.max(0, depth - 1)))];
}

/** The value as the form shows it, put together from its fields alone. */
export function readBack(field: Field): Json | undefined {
  if (field.value === undefined || field.value === null) return field.value;
  switch (field.kind) {
    case 'object':
    case 'map': {
      const entries = inside(field).flatMap((child): [string, Json][] => {
        const value = readBack(child);
        return value === undefined ? [] : [[child.key, value]];
      });
      return Object.fromEntries(entries);
    }
    case 'array':
    case 'tuple':
    case 'mediaList':
      return inside(field)
        .map(readBack)
        .filter((item) => item !== undefined);
    case 'choice': {
      const content = field.content();
      return content ? readBack(content) : field.value;
    }
    default:
      return field.value;
  }
}

/** Sets every field of a form, one after another as a user would, taking the `pick`-th variant of each choice. */
export function fillForm(schema: JsonSchema, pick: number): Json {
  let value: Json = initialInput(schema);
  const done = new Set<string>();
  let choices: ReadonlyMap<string, number> = new Map();
  for (let step = 0; step < 3000; step++) {
    const fields = walk(formOf(schema, value, '', { choices }), 0);
    const next = fields.find((field) => !done.has(`${field.pointer} ${field.kind}`) && levels(field) <= 8);
    if (next === undefined) return value;
    done.add(`${next.pointer} ${next.kind}`);
    // Each choice met reads another digit of `pick`, so that all ways through two or three of them are gone.
    const digit = Math.floor(pick / 2 ** Math.min(choices.size, 3));
    if (next.kind === 'choice') choices = new Map([...choices, [next.pointer, digit % next.variants.length]]);
    const entered = enter(next, digit);
    if (entered !== undefined) value = setAt(value, next.pointer, entered);
  }
  throw new Error('The form never ends.');
}

function levels(field: Field): number {
  return field.required ? 0 : field.pointer.split('/').length;
}

/** A user's input; undefined: the present value is already right. */
function enter(field: Field, pick: number): Json | undefined {
  switch (field.kind) {
    case 'text':
      return textFor(field);
    case 'number': {
      const step = field.step ?? 1;
      const low = field.min === undefined ? undefined : field.min + (field.exclusiveMin ? step : 0);
      const high = field.max === undefined ? undefined : field.max - (field.exclusiveMax ? step : 0);
      if (
        field.exclusiveMin &&
        field.max !== undefined &&
        field.min !== undefined &&
        field.step === undefined
      )
        return (field.min + field.max) / 2;
      return low ?? (high === undefined ? step : Math.floor(high / step) * step);
    }
    case 'boolean':
      return true;
    case 'enum':
      return field.options[pick % field.options.length]?.value;
    case 'const':
      return field.constant;
    case 'media':
      return { media_ref: 'media_1', filename: 'one.png' };
    case 'mediaList':
      return Array.from({ length: field.minItems ?? 1 }, (_, index) => ({ media_ref: `media_${index}` }));
    case 'stringList': {
      const count = Math.max(field.minItems ?? 1, 1);
      const options = field.options.map((option) => option.value);
      return Array.from({ length: count }, (_, index) => options[index] ?? `chip ${index}`);
    }
    case 'array':
      if (Array.isArray(field.value) && field.value.length > 0) return undefined;
      return Array.from({ length: field.minItems || 1 }, () => field.newItem());
    case 'tuple':
      return field.value === undefined ? field.initial() : undefined;
    case 'object':
      return field.value === undefined ? {} : undefined;
    case 'map':
      return { ...(field.value as { [key: string]: Json } | undefined), entry: field.newEntry() };
    case 'choice':
      return field.variants[pick % field.variants.length]?.initial();
    case 'json':
      return field.value === undefined ? field.initial() : undefined;
  }
}

function textFor(field: Field & { kind: 'text' }): string {
  const formats: Record<string, string> = {
    url: 'https://example.com/a',
    email: 'name@example.com',
    date: '2024-05-31',
    time: '14:30:00Z',
    'date-time': '2024-05-31T14:30:00Z',
    color: '#00ff00',
    uuid: '123e4567-e89b-12d3-a456-426614174000',
  };
  const format = formats[field.format];
  if (format !== undefined) return format;
  if (typeof field.examples[0] === 'string') return field.examples[0];
  return 'text'.padEnd(field.minLength ?? 0, 'x').slice(0, field.maxLength);
}
