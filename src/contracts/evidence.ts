import type { Shape } from '../domain/model';
import { childPointer } from '../domain/pointer';
import { isObject, type UnknownObject } from '../domain/value';
import { members, plainName } from '../readers/records';
import { withDefinitions } from './definitions';
import { isSchema } from './jsonSchema';
import { isOpenApi, openApiOperations, partsOfRequest, resolvedIn } from './openApi';
import { isClosed, lookedAt, type RecordPlace } from './places';
import { nameRole } from './roles';
import { jsonOf, readShape } from './shape';

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
  /** How clearly the name gives the part: 3 by name, 2 a schema without such a name, 1 the body itself. */
  readonly weight: number;
  readonly place: RecordPlace;
  readonly examples: unknown;
}

type Facts = Omit<Evidence, 'part' | 'shape' | 'examples'>;

/** The evidence of one record, by the names of its members. */
export function evidenceIn(place: RecordPlace): Evidence[] {
  const { record } = place;
  if (!isClosed(record)) return lookedAt(record).flatMap(([key, value]) => ofMember(place, key, value));
  return place.depth === 0 ? evidenceOfMode(record, place, 1) : [];
}

/** A value that is no record of parts but a document, a schema, or a list of fields: a mode, or the whole body. */
export function evidenceOfMode(value: unknown, place: RecordPlace, weight = 3): Evidence[] {
  const facts = { weight, place, around: place.around };
  if (isObject(value)) return ofSchema(value, place.at, facts) ?? [];
  const shape = readShape(value);
  return shape === undefined ? [] : [ofPart('input', { ...shape, at: place.at }, facts)];
}

function ofMember(place: RecordPlace, key: string, written: unknown): Evidence[] {
  const role = nameRole(key);
  if (role === 'output' || role === 'aside') return [];
  const value = role === 'layer' ? written : jsonOf(written);
  const at = childPointer(place.at, key);
  const isNamed = role === 'input' || role === 'params';
  const facts = { weight: isNamed ? 3 : 2, place, around: place.around };
  if (isObject(value) && (!isNamed || isOpenApi(value))) {
    const isRead = isOpenApi(value) || (role !== 'layer' && mayBeObject(value));
    const ofIt = isRead ? ofSchema(value, at, facts, value !== written) : undefined;
    // {request: {input: ..., params: ...}} is a layer, which is looked into as one.
    if (ofIt !== undefined || isSchema(value) || isLayer(value)) return ofIt ?? [];
  }
  const shape = role === 'layer' ? undefined : readShape(value);
  if (shape === undefined) return [];
  // Data under a name that does not say input may be anything.
  if (!isNamed && (shape.origin !== 'fields' || substance(shape) < 3)) return [];
  return [ofPart(role === 'params' ? 'params' : 'input', { ...shape, at }, facts)];
}

/** Whether a schema may describe an input, which is always an object. */
function mayBeObject({ type }: UnknownObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** Whether members of a record name parts of a contract. */
function isLayer(record: UnknownObject): boolean {
  const isField = (value: unknown) => isObject(value) && isSchema(value) && !mayBeObject(value);
  const isPart = (name: string) => /^(?:input|params|request|schema)$/.test(nameRole(name));
  return lookedAt(record).some(([name, value]) => isPart(name) && !isField(value));
}

function ofPart(part: 'input' | 'params', shape: Shape, facts: Facts, examples?: unknown): Evidence {
  const { schema } = shape;
  const own = isObject(schema) && shape.origin === 'declared' ? schema.examples : undefined;
  return { ...facts, part, shape, examples: examples ?? own };
}

/** A document, or the schema of an input or of a whole request with input and params in it; undefined: neither. */
function ofSchema(
  record: UnknownObject,
  at: string,
  facts: Facts,
  isText = false,
  examples?: readonly unknown[],
): Evidence[] | undefined {
  if (isOpenApi(record)) return ofDocument(record, at, facts, isText);
  if (!isSchema(record)) return undefined;
  const { input, params } = partsOfRequest(record) ?? { input: record };
  const inside = input === record ? facts : { ...facts, around: [record, ...facts.around] };
  const part = (name: 'input' | 'params', schema: UnknownObject) =>
    ofPart(name, { schema, origin: 'declared', at }, inside, examples);
  return params === undefined ? [part('input', input)] : [part('input', input), part('params', params)];
}

/** The input that a document describes: of its likeliest run, or of the interface's modes it has paths for. */
function ofDocument(document: UnknownObject, at: string, facts: Facts, isText: boolean): Evidence[] {
  const operations = openApiOperations(document);
  const byMode = operations.filter(({ mode }) => mode !== undefined);
  const chosen = byMode.length > 0 ? byMode : operations.slice(0, 1);
  return chosen.flatMap(({ schema, at: inside, mode, examples }): Evidence[] => {
    const here = isText ? at : `${at}${inside}`;
    const own = { ...facts, mode, around: [document] };
    const resolved = resolvedIn(document, schema);
    const parts = ofSchema(resolved, here, own, isText, examples);
    return parts ?? [ofPart('input', { schema: resolved, origin: 'declared', at: here }, own, examples)];
  });
}

/**
 * The best evidence: a schema or fields before an example, a restricting one before one that allows every value, the
 * clearer name, then the nearer place.
 */
export function best(evidence: readonly Evidence[]): Evidence | undefined {
  const rank = ({ shape, weight, place }: Evidence) => substance(shape) * 1000 + weight * 100 - place.depth;
  return evidence.toSorted((a, b) => rank(b) - rank(a))[0];
}

/** The shape, with all that its references name. */
export function completeShape({ shape, around }: Pick<Evidence, 'shape' | 'around'>): Shape {
  return { ...shape, schema: withDefinitions(shape.schema, around) };
}

/** 3: restricts the value; 2: allows any value, or only names fields; 1: only an example. */
export function substance({ schema, origin }: Shape): number {
  if (origin === 'example') return 1;
  if (!isObject(schema)) return 2;
  const { properties, type } = schema as UnknownObject;
  const fields = isObject(properties) ? members(properties).map(([, each]) => each) : [];
  const isOpen = (field: unknown) =>
    isObject(field) && members(field).every(([key]) => /^(?:title|description)$/.test(plainName(key)));
  if (fields.length > 0) return origin === 'fields' && fields.every(isOpen) ? 2 : 3;
  const says = ['$ref', 'allOf', 'anyOf', 'oneOf', 'additionalProperties', 'patternProperties'];
  return says.some((key) => key in schema) || (type !== undefined && type !== 'object') ? 3 : 2;
}
