import type { SQLOutputValue } from 'node:sqlite';
import type * as z from 'zod/mini';
import type { Money } from '../domain/money';
import type { Row } from './database';
import { StoreProblem } from './storeProblem';

/** A column's value as text; every column is read through these functions, and one of another kind is damage. */
export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : damaged(column, value);
}

export function number(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'number' ? value : damaged(column, value);
}

type Read<T> = (row: Row, column: string) => T;

/** As a property to spread, under its column's name or another one: empty for NULL. */
export function optional<const Name extends string, T>(
  row: Row,
  column: Name,
  read: Read<T>,
): { [name in Name]?: T };
export function optional<const Name extends string, T>(
  row: Row,
  column: string,
  read: Read<T>,
  name: Name,
): { [name in Name]?: T };
export function optional<T>(
  row: Row,
  column: string,
  read: Read<T>,
  name = column,
): { [name in string]?: T } {
  return row[column] === null || row[column] === undefined ? {} : { [name]: read(row, column) };
}

/** The amount of a row with a cost, and its currency. */
export function costInRow(row: Row): Money {
  return { amount: text(row, 'cost'), ...optional(row, 'currency', text) };
}

export function oneOf<const T extends string>(values: readonly T[]) {
  return (row: Row, column: string): T => {
    const value = row[column] as T;
    return values.includes(value) ? value : damaged(column, value);
  };
}

/** JSON text of a column, checked. */
export function json<S extends z.ZodMiniType>(schema: S) {
  return (row: Row, column: string): z.output<S> => {
    let value: unknown;
    try {
      value = JSON.parse(text(row, column));
    } catch {
      return damaged(column, row[column] ?? null);
    }
    const read = schema.safeParse(value);
    return read.success ? read.data : damaged(column, row[column] ?? null);
  };
}

function damaged(column: string, value: SQLOutputValue | undefined): never {
  throw new StoreProblem('damaged', `The column ${column} holds ${String(value).slice(0, 80)}.`);
}
