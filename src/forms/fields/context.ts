import type { Json } from '../../domain/json';
import { visibleText } from '../../wording/plainText';
import type { Field, FieldBase, FormState } from '../fieldTypes';
import type { Flat } from '../schema/flatten';
import type { CompiledSchema, Schema } from '../schema/node';

export interface FieldPlace {
  readonly pointer: string;
  readonly key: string;
  /** Missing: the key is the label. */
  readonly label?: string;
  /** Of a list item, from 1; `one`: its schema is for this place alone, so that a title needs no number. */
  readonly item?: { readonly number: number; readonly one: boolean };
  readonly required: boolean;
  readonly extra?: boolean;
  /** Comes late in a large group: folded, unless it takes a file. */
  readonly late?: boolean;
  /** The number of fields above. */
  readonly depth: number;
  readonly idsPointer?: string | undefined;
  readonly mediaPointer?: string | undefined;
}

export interface FieldContext {
  readonly compiled: CompiledSchema;
  readonly state: FormState;
  readonly flat: Flat;
  readonly base: FieldBase;
  readonly place: FieldPlace;
  build(schema: Schema, value: Json | undefined, place: FieldPlace): Field;
}

/** Calls `make` at most once and returns its result from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A title or a description of a schema: hidden characters are shown, so that no mark of direction changes how it is read. */
export function shownText(value: unknown): string | undefined {
  const text = asText(value);
  return text === undefined ? undefined : visibleText(text);
}

/** The members without those that are undefined. */
export function definedMembers<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The parts that the builders of lists share. */
export interface ListParts {
  readonly value: readonly Json[];
  readonly bounds: { readonly minItems?: number; readonly maxItems?: number };
  item(index: number): Field;
}
