import type { Json } from '../domain/json';

/** How a language writes a JSON value. */
export interface Notation {
  readonly indent: string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  key(name: string): string;
}

/**
 * A value as a literal. Strings are written as in JSON, which Python and JavaScript share; each mark becomes its
 * variable.
 */
export function literal(
  value: Json,
  notation: Notation,
  variables: ReadonlyMap<string, string>,
  level = 0,
): string {
  if (value === null) return notation.words.null;
  if (typeof value === 'boolean') return value ? notation.words.true : notation.words.false;
  if (typeof value === 'string') return variables.get(value) ?? JSON.stringify(value);
  if (typeof value === 'number') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, notation, variables, level + 1))
    : Object.entries(value).map(
        ([key, item]) => `${notation.key(key)}: ${literal(item, notation, variables, level + 1)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const inner = notation.indent.repeat(level + 1);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${notation.indent.repeat(level)}${close}`;
}
