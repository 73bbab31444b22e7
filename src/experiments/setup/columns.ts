import type { Json } from '../../domain/json';
import type { ModeContract, ModelContract } from '../../domain/model';
import { childPointer, segmentsOf } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import { formOf, initialInput } from '../../forms/buildForm';
import type { Field } from '../../forms/fieldTypes';
import type { Table } from '../../intake/table';

export interface ColumnUses {
  /** Place in the run → column. */
  readonly map: Readonly<Record<string, string>>;
  /** The column with each row's expected value. */
  readonly expected?: string;
}

/** Names of columns with expected values, the likeliest first. */
const EXPECTED = [
  ...['expected', 'expectedoutput', 'groundtruth', 'truth', 'gold', 'target', 'label', 'class'],
  ...['category', 'answer', 'reference', 'solution'],
];
/** Less certain names. */
const LIKELY = ['sentiment', 'language', 'lang', 'intent', 'topic'];
/** Longer values are no labels. */
const LONGEST_LABEL = 40;
/** Rows that tell whether values repeat as labels do. */
const LEAST_ROWS = 4;
const LOOKED_AT = 200;

/** Guesses the uses of a table's columns, by their names; the user sees and changes it. */
export function guessColumns(
  mode: Pick<ModeContract, 'input' | 'params'>,
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
): ColumnUses {
  const fields = fieldsFor(mode);
  const map = new Map<string, string>();
  const isFree = (column: string) => ![...map.values()].includes(column);
  for (const field of fields) {
    const column = columns.find((name) => isFree(name) && isNamed(field, name));
    if (column !== undefined) map.set(field.pointer, column);
  }
  const columnValues = (column: string) =>
    rows
      .slice(0, LOOKED_AT)
      .flatMap(({ values }) => (Object.hasOwn(values, column) ? [values[column]!] : []));
  const expected = expectedIn(columns.filter(isFree), columnValues);
  const left = columns.filter((name) => isFree(name) && name !== expected);
  for (const field of fields) {
    if (!field.required || field.kind !== 'text' || map.has(field.pointer)) continue;
    const lengths = left.filter(isFree).map((name) => ({ name, length: meanLength(columnValues(name)) }));
    const [longest] = lengths.sort((a, b) => b.length - a.length);
    if (longest) map.set(field.pointer, longest.name);
  }
  return { map: Object.fromEntries(map), ...(expected !== undefined && { expected }) };
}

/** Fields that a cell of a table can fill, those of the input first. */
export function fieldsFor(mode: Pick<ModeContract, 'input' | 'params'>): Field[] {
  return forms(mode)
    .flatMap((form) => (form.kind === 'object' ? form.children() : []))
    .filter(
      ({ kind, readOnly }) => !readOnly && kind !== 'const' && kind !== 'media' && kind !== 'mediaList',
    );
}

/** Columns fill all required fields of the mode; cells could fill them; or it requires more, such as a file. */
const FITS = ['columns', 'cells', 'more'] as const;

/** How a model runs over the rows of a table. */
export interface RowsMode {
  readonly mode: ModeContract;
  readonly fit: (typeof FITS)[number];
}

/**
 * The mode that runs over rows of a table: the one that fits best, and of these `execute` before others. Modes that
 * write or read a dataset are left out. Undefined: no mode has a field that a cell can fill.
 */
export function rowsMode(
  contract: ModelContract,
  table: Pick<Table, 'columns' | 'rows'>,
): RowsMode | undefined {
  return contract.modes
    .filter((mode) => !mode.vectorBacked && fieldsFor(mode).length > 0)
    .map((mode) => ({ mode, fit: fitOf(mode, table) }))
    .sort(
      (a, b) =>
        FITS.indexOf(a.fit) - FITS.indexOf(b.fit) ||
        Number(b.mode.name === 'execute') - Number(a.mode.name === 'execute'),
    )[0];
}

function fitOf(mode: ModeContract, table: Pick<Table, 'columns' | 'rows'>): RowsMode['fit'] {
  const open = forms(mode).flatMap(openIn);
  if (open.some(({ kind }) => kind === 'media' || kind === 'mediaList')) return 'more';
  const { map } = guessColumns(mode, table);
  const isFilled = Object.keys(map).length > 0 && open.every(({ pointer }) => Object.hasOwn(map, pointer));
  return isFilled ? 'columns' : 'cells';
}

function forms({ input, params }: Pick<ModeContract, 'input' | 'params'>): Field[] {
  return [
    formOf(input.schema, initialInput(input.schema), '/input'),
    formOf(params.schema, initialInput(params.schema), '/params'),
  ];
}

/** The required fields without a value, of objects in the request too. */
function openIn(field: Field): Field[] {
  if (field.kind === 'object' && field.value !== undefined) return field.children().flatMap(openIn);
  const isEmpty = field.kind === 'mediaList' ? field.items().length === 0 : field.value === undefined;
  return field.required && isEmpty ? [field] : [];
}

function isNamed({ key, label }: Field, column: string): boolean {
  const name = plain(column);
  return name !== '' && [key, label].some((known) => plain(known) === name);
}

/** Letters and digits only: "Ground Truth", "ground_truth" and "groundTruth" are the same. */
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function expectedIn(
  columns: readonly string[],
  valuesOf: (column: string) => readonly Json[],
): string | undefined {
  const isNamedSo = (name: string) => (column: string) => plain(column) === name;
  return (
    EXPECTED.flatMap((name) => columns.filter(isNamedSo(name)))[0] ??
    columns.find((column) => LIKELY.includes(plain(column))) ??
    columns.find((column) => areLabels(valuesOf(column)))
  );
}

/** Whether values are short, and most of them occur in several rows. */
function areLabels(values: readonly Json[]): boolean {
  const texts = values.map(String).filter((text) => text.trim() !== '');
  if (texts.length < LEAST_ROWS || texts.some((text) => text.length > LONGEST_LABEL)) return false;
  const distinct = new Set(texts).size;
  return distinct > 1 && distinct <= texts.length / 2;
}

/** Further ones are of no use to anybody. */
const MOST_PLACES = 50;
const DEEPEST = 4;

/** Places of a result that could be compared with an expected value, as JSON pointers; those near the top first. */
export function comparedPlaces(result: Json | undefined): string[] {
  return isObject(result) || Array.isArray(result) ? valuePlaces(result) : [];
}

/** The places of single values, of objects in it too; of lists the first item. */
function valuePlaces(result: Json | undefined, pointer = '', depth = 0): string[] {
  if (result === undefined || result === null || depth > DEEPEST) return [];
  if (typeof result !== 'object') return [pointer];
  const members = Array.isArray(result) ? [['0', result[0]] as const] : Object.entries(result);
  return members
    .slice(0, MOST_PLACES)
    .flatMap(([name, value]) => valuePlaces(value, childPointer(pointer, name), depth + 1))
    .sort((a, b) => segmentsOf(a).length - segmentsOf(b).length)
    .slice(0, MOST_PLACES);
}

function meanLength(values: readonly Json[]): number {
  return values.reduce<number>((sum, value) => sum + String(value).length, 0) / Math.max(1, values.length);
}
