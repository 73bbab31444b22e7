import { firstInexact, isExactNumber } from '../../domain/exactNumbers';
import { type Json, type JsonSchema, tryParseJson } from '../../domain/json';
import type { ModelContract } from '../../domain/model';
import { modeOf } from '../../domain/model';
import { segmentsOf } from '../../domain/pointer';
import type { RunDraft } from '../../domain/run';
import { getAt, isObject, removeAt, setAt } from '../../domain/value';
import { compileSchema } from '../../forms/schema/compile';
import { type ValueType, valueTypes } from '../../forms/schema/valueTypes';
import { type Validation, validateValue } from '../../forms/validate';

/** The value of a cell in the request. Undefined: the field is left out. */
export type CellReading = Json | undefined;

/** The ways to read the text of a cell, in their order, each for the types that it makes. Undefined: the text has no such value. */
const READINGS: readonly {
  readonly makes: readonly ValueType[];
  readonly read: (text: string) => CellReading;
}[] = [
  { makes: ['string'], read: (text) => text },
  { makes: ['number', 'integer'], read: numberIn },
  { makes: ['boolean'], read: (text) => BOOLEANS.get(text.trim().toLowerCase()) },
  { makes: ['array', 'object'], read: jsonIn },
];

/**
 * How a cell becomes a field's value: by the types that the field's schema allows. Of several readings the first that
 * is valid wins, else the one with the clearest problem. A blank cell of a field that takes no such text, and null
 * where null is not allowed, leave the field out. An unreadable cell stays text, and is a problem of its row.
 */
export function readerFor(
  contract: ModelContract,
  draft: RunDraft,
  pointer: string,
): (value: Json) => CellReading {
  const schema = schemaOf(contract, draft, pointer);
  if (!schema) return (value) => value;
  const [part, ...place] = segmentsOf(pointer);
  const body = `/${part}`;
  const types = valueTypes(compileSchema(schema), getAt(draft as unknown as Json, body), place);
  const issuesWith = (value: CellReading): Validation['issues'] => {
    const filled = getAt(placed(draft, pointer, value) as unknown as Json, body) ?? {};
    const { issues } = validateValue(schema, filled, body);
    return issues.filter((issue) => `${issue.pointer}/`.startsWith(`${pointer}/`));
  };
  const best = (readings: readonly CellReading[]): CellReading => {
    if (readings.length === 1) return readings[0];
    const checked = readings.map((value) => ({ value, issues: issuesWith(value) }));
    const chosen =
      checked.find(({ issues }) => issues.length === 0) ??
      checked.find(({ issues }) => issues.every(({ keyword }) => keyword !== 'type')) ??
      checked[0];
    return chosen!.value;
  };
  const takes = (type: ValueType) => types === undefined || types.has(type);
  /** Most blank cells are alike: the schema decides about each text once. */
  const blanks = new Map<string, CellReading>();
  return (value) => {
    if (value === null) return best([null, undefined]);
    if (typeof value !== 'string') return value;
    if (value.trim() === '') {
      if (!blanks.has(value)) blanks.set(value, best([...(takes('string') ? [value] : []), undefined, null]));
      return blanks.get(value);
    }
    const readings = READINGS.filter(({ makes }) => makes.some(takes))
      .map(({ read }) => read(value))
      .filter((reading) => reading !== undefined);
    // Text that is a list or an object is seldom meant as text, where the field says that it takes both.
    if (types !== undefined) readings.sort((a, b) => Number(isContainer(b)) - Number(isContainer(a)));
    return readings.length === 0 ? value : best(readings);
  };
}

/** The schema by which the texts at a place of the request are read; undefined: they stay text. */
function schemaOf(
  contract: ModelContract,
  { mode }: RunDraft,
  pointer: string,
): Exclude<JsonSchema, boolean> | undefined {
  const [part] = segmentsOf(pointer);
  const shape = part === 'input' || part === 'params' ? modeOf(contract, mode)?.[part] : undefined;
  return typeof shape?.schema === 'object' ? shape.schema : undefined;
}

/** The draft with a reading of a cell at its place. */
export function placed(draft: RunDraft, pointer: string, value: CellReading): RunDraft {
  const before = draft as unknown as Json;
  return (value === undefined
    ? removeAt(before, pointer)
    : setAt(before, pointer, value)) as unknown as RunDraft;
}

const BOOLEANS = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
]);

/** A number as JSON writes it: 007 and 0x10 are names. One that would be sent as another stays text. */
function numberIn(cell: string): number | undefined {
  const text = cell.trim();
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
  return isNumber && isExactNumber(text) ? Number(text) : undefined;
}

function isContainer(reading: Json): boolean {
  return typeof reading === 'object';
}

function jsonIn(text: string): Json | undefined {
  // An exception for each text of a table takes longer than all else about it.
  if (!/^\s*[[{]/.test(text)) return undefined;
  const read = tryParseJson(text);
  const isWhole = (isObject(read) || Array.isArray(read)) && firstInexact(text) === undefined;
  return isWhole ? read : undefined;
}
