import { addAll } from '../domain/many';
import type { Shape } from '../domain/model';
import { childPointer } from '../domain/pointer';
import { isObject, type UnknownObject } from '../domain/value';
import { members, pickText, plainName } from '../readers/records';
import { isSchema } from './jsonSchema';
import { isOpenApi, openApiOperations, partsOfRequest, resolvedIn } from './openApi';
import { childPlace, isClosed, lookedAt, placeMember, type RecordPlace, surroundingRecords } from './places';
import { substance } from './ranking';
import { modeInName, nameRole, type Role } from './roles';
import { readShape } from './shape';

// The evidence in a body's records for the input and the params of a mode. All of it is gathered, then the best is
// chosen.

/** One place that describes input or params. */
export interface Evidence {
  readonly part: 'input' | 'params';
  /** Of this mode only; missing: of any. */
  readonly mode?: string | undefined;
  readonly shape: Shape;
  /** The records that its references may mean, the nearest first. */
  readonly around: readonly UnknownObject[];
  /** How clearly the name describes the role: 3 by name, 2 a schema without such a name. */
  readonly weight: number;
  readonly place: RecordPlace;
  readonly examples: readonly unknown[];
}

/** The evidence of one record, by the names of its members. */
export function evidenceIn(place: RecordPlace, modes: readonly string[]): Evidence[] {
  const { record, bounds } = place;
  if (bounds.records-- <= 0) return [];
  if (isClosed(record)) return place.parent === undefined ? ofBody(place) : [];
  const evidence: Evidence[] = [];
  for (const [key] of lookedAt(record)) {
    const value = placeMember(place, key);
    const role = nameRole(key);
    if (role === 'layer') addAll(evidence, ofLayer(place, key, value));
    else if (role === 'schema') addAll(evidence, ofSchema(place, key, value));
    else if (role === 'input' || role === 'params' || role === 'request')
      addAll(evidence, ofMode(place, key, value, role, modes));
  }
  return evidence;
}

/** A mode that is no record of its own but a schema, or a list of fields. */
export function evidenceOfMode(value: unknown, place: RecordPlace): Evidence[] {
  const parent = place.parent ?? place;
  const of = { weight: 3, place: parent, around: surroundingRecords(parent), examples: [] };
  if (isObject(value)) return isSchema(value) ? ofRequest(value, place.at, of) : [];
  const shape = readShape(value);
  if (shape === undefined || shape.origin === 'example') return [];
  return [{ ...of, part: 'input', shape: { ...shape, at: place.at } }];
}

/** A body that is itself an OpenAPI document or a schema. */
function ofBody(place: RecordPlace): Evidence[] {
  const { record } = place;
  if (isOpenApi(record)) return ofDocument(record, place, place.at, 3);
  return evidenceOfMode(record, place).map((each) => ({ ...each, weight: 1 }));
}

/** Names of layers around a whole body. */
const ENVELOPES = /^(?:data|result|response|body|payload|item|model|value|content)$/;

/** A document, a schema that is the whole body, or a name with a mode in it: "search_input_schema". */
function ofLayer(place: RecordPlace, key: string, value: unknown): Evidence[] {
  if (isObject(value) && isOpenApi(value))
    return ofDocument(value, memberPlace(place, key), memberPointer(place, key), 2.5);
  if (isObject(value) && ENVELOPES.test(plainName(key)) && isSchema(value) && mayBeObject(value))
    return ofRole(place, key, value, 'request', 1, undefined);
  const named = modeInName(key);
  const role = named === undefined ? 'layer' : nameRole(named.rest);
  if (role !== 'input' && role !== 'params' && role !== 'request') return [];
  return ofRole(place, key, value, role, 3, named?.mode);
}

/** A schema under a name that does not give its role. */
function ofSchema(place: RecordPlace, key: string, value: unknown): Evidence[] {
  if (isOfAnother(place.record)) return [];
  const mode = pickText(place.record, 'mode', 'operation');
  const isTable = isObject(value) && plainName(key) === 'schema' && !isSchema(value) && !isLayer(value);
  if (Array.isArray(value) || plainName(key) === 'fields' || isTable) {
    const shape = readShape(value);
    if (shape?.origin === 'fields')
      return substance(shape) < 3 ? [] : ofRole(place, key, value, 'input', 2, mode);
  }
  if (!isObject(value)) return [];
  if (isOpenApi(value)) return ofDocument(value, memberPlace(place, key), memberPointer(place, key), 2.5);
  // {name, schema: {type: "string"}} is a field.
  if (!isSchema(value) || !mayBeObject(value)) return [];
  return ofRole(place, key, value, 'request', 2, mode);
}

/** {kind: "output", schema: {...}}: a text beside a schema says that it is not the input's. */
function isOfAnother(record: UnknownObject): boolean {
  return ['role', 'kind', 'direction', 'type', 'name', 'key'].some((name) =>
    /^(?:output|params)$/.test(nameRole(pickText(record, name) ?? '')),
  );
}

/** Whether a schema may describe an input, which is always an object. */
function mayBeObject({ type }: UnknownObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** {input_schema: {index: ..., search: ...}}, or one value. */
function ofMode(
  place: RecordPlace,
  key: string,
  value: unknown,
  role: 'input' | 'params' | 'request',
  modes: readonly string[],
): Evidence[] {
  const isMode = (name: string) => modes.some((mode) => plainName(mode) === plainName(name));
  const names =
    isObject(value) && !isSchema(value)
      ? members(value)
          .slice(0, 50)
          .map(([name]) => name)
      : [];
  if (isObject(value) && names.length > 0 && names.every(isMode))
    return names.flatMap((name) => {
      const table = childPlace(place, key, value);
      return ofRole(table, name, value[name], role, 3, plainName(name));
    });
  return ofRole(place, key, value, role, 3, undefined);
}

function ofRole(
  place: RecordPlace,
  key: string,
  value: unknown,
  role: Role,
  weight: number,
  mode: string | undefined,
): Evidence[] {
  const at = memberPointer(place, key);
  if (isObject(value) && isOpenApi(value)) return ofDocument(value, memberPlace(place, key), at, weight);
  const of = { mode, weight, place, around: surroundingRecords(place), examples: [] };
  if (role === 'request' && isObject(value)) {
    if (isSchema(value)) return mayBeObject(value) ? ofRequest(value, at, of) : [];
    // {request: {input: ..., params: ...}} is a layer, which is looked into as one.
    if (isLayer(value)) return [];
  }
  const part = role === 'params' ? 'params' : 'input';
  const shape = readShape(value);
  if (shape === undefined) return [];
  const read = { ...of, part, shape: { ...shape, at } } as const;
  if (role !== 'request') return [read];
  // Data under `request` or `body` may be anything.
  if (substance(shape) < 3) return [];
  const { schema, origin } = shape;
  return origin === 'declared' && isObject(schema) ? ofRequest(schema, at, of) : [read];
}

type EvidenceFacts = Omit<Evidence, 'part' | 'shape'>;

function ofPart(part: 'input' | 'params', schema: UnknownObject, at: string, facts: EvidenceFacts): Evidence {
  return { ...facts, part, shape: { schema, origin: 'declared', at } };
}

/** The schema of a whole request: that of its input, or one that has input and params in it. */
function ofRequest(schema: UnknownObject, at: string, facts: EvidenceFacts): Evidence[] {
  const parts = partsOfRequest(schema);
  if (parts === undefined) return [ofPart('input', schema, at, facts)];
  const inside = { ...facts, around: [schema, ...facts.around] };
  const input = ofPart('input', parts.input, at, inside);
  return parts.params === undefined ? [input] : [input, ofPart('params', parts.params, at, inside)];
}

/** Whether members of a record name parts of a contract. */
function isLayer(record: UnknownObject): boolean {
  return members(record)
    .slice(0, 50)
    .some(([name, value]) => /^(?:input|params|request|schema)$/.test(nameRole(name)) && !isField(value));
}

/** A schema of one value, such as {type: "string"}: one field, with any name. */
function isField(value: unknown): boolean {
  return isObject(value) && isSchema(value) && !mayBeObject(value);
}

/** The input that an OpenAPI document describes: of its likeliest run, and of the interface's modes it has paths for. */
function ofDocument(document: UnknownObject, place: RecordPlace, at: string, weight: number): Evidence[] {
  const operations = openApiOperations(document);
  const general = operations.find(({ mode }) => mode === undefined);
  const byMode = operations.filter(({ mode }) => mode !== undefined);
  const chosen = [...(byMode.length === 0 && general ? [general] : []), ...byMode];
  return chosen.flatMap(({ schema, of, at: inside, mode, examples }): Evidence[] => {
    const here = place.inText ? at : `${at}${inside}`;
    const facts = { mode, weight, place, around: [document], examples };
    if (of === 'input') return [ofPart('input', schema, here, facts)];
    return ofRequest(resolvedIn(document, schema), here, facts);
  });
}

/** The place of the value under one of its names: that may be JSON text. */
function memberPlace(place: RecordPlace, key: string): RecordPlace {
  return typeof place.record[key] === 'string' ? { ...place, inText: true } : place;
}

function memberPointer(place: RecordPlace, key: string): string {
  return place.inText ? place.at : childPointer(place.at, key);
}
