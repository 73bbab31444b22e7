import type { ModeContract, RunExample, Shape } from '../domain/model';
import { isVectorMode } from '../domain/requestFaults';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { readPrice } from '../readers/price';
import { firstOf, members, pick, pickRecord, pickText, plainName, valueWords } from '../readers/records';
import { documentedShape } from './documentedShapes';
import { type Evidence, evidenceIn, evidenceOfMode } from './evidence';
import { examplesIn, requestExamples } from './examples';
import { isSchema } from './jsonSchema';
import { type MergedMode, MOST_IN_MODE } from './modeLists';
import { isOpenApi, openApiOutput } from './openApi';
import { lookedAt, placeMember, placesIn, type RecordPlace, surroundingRecords } from './places';
import { best, completeShape, substance } from './ranking';

// The contract of one mode, from all that the layers of a body say of it.

/** Flags of a mode that reads or writes an indexed dataset. */
const VECTOR_FLAGS = words(`
  vectorbacked vectorenabled isvector vector requiresscope scoperequired usesscope needsscope usesvectorstore
`);
/** Names under which models list the kinds of data that they take. */
const KINDS = words('modality modalities inputmodalities inputtypes mediatype mediatypes task category tags');
const UNKNOWN: Shape = { schema: true, origin: 'unknown' };

/** The parts of a body outside of its lists of modes. */
export interface Surroundings {
  /** The detail and the record that lists the modes: an example of an input in other records may be anything. */
  readonly near: readonly RecordPlace[];
  readonly evidence: readonly Evidence[];
  /** All modes. */
  readonly names: readonly string[];
  /** The first published examples, and the tables of prices. */
  readonly examples: readonly RunExample[];
  readonly pricings: readonly UnknownObject[];
}

/** The evidence for the modes from all records, gathered once. */
export function readSurroundings(
  near: readonly RecordPlace[],
  places: readonly RecordPlace[],
  evidence: readonly Evidence[],
  names: readonly string[],
): Surroundings {
  const records = places.map(({ record }) => record);
  const pricings = records
    .map((record) => pickRecord(record, 'pricing', 'prices', 'price'))
    .filter((pricing) => pricing !== undefined);
  return { near, evidence, names, examples: firstExamples(records), pricings };
}

/** The contract of one mode. */
export function readMode(mode: MergedMode, surroundings: Surroundings): ModeContract {
  const { name } = mode;
  const { near, pricings } = surroundings;
  const isShared = sharesModelSchema(name, surroundings.names);
  const own = ownRecord(mode);
  const { input, params } = modeParts(mode, surroundings, isShared);
  const output = readOutput(mode, isShared ? near : []);
  const isImageMode = !takesNoImages(near.map(({ record }) => record));
  const ownExamples = mode.from.length > 0 ? examplesIn(own) : [];
  const examples = ownExamples.length > 0 || !isShared ? ownExamples : surroundings.examples;
  const published = examples.filter((example) => mayBeOf(input, example));
  return {
    name,
    title: pickText(own, 'title', 'displayname', 'label'),
    description: pickText(own, 'description', 'summary'),
    vectorBacked: isVectorMode(name) || isMarkedVectorBacked(own),
    input: input ? completeShape(input) : ((isImageMode ? documentedShape(name) : undefined) ?? UNKNOWN),
    params: params ? completeShape(params) : UNKNOWN,
    ...(output && { output }),
    examples: published.length > 0 ? published : examplesOfSchema(input),
    price: readPrice(own) ?? firstOf(pricings, (pricing) => priceOfMode(name, pricing)),
  };
}

/** Two modes of a vector model take different input, so the model's one schema is that of `execute`, or of the others. */
function sharesModelSchema(name: string, names: readonly string[]): boolean {
  if (names.length <= 1 || /^execute$/i.test(name)) return true;
  return !isVectorMode(name) && !names.some((other) => /^execute$/i.test(other));
}

/** The lists' members for a mode, as one record: the first of several wins. */
function ownRecord({ from }: MergedMode): UnknownObject {
  const byName = new Map<string, [string, unknown]>();
  for (const [key, value] of from.flatMap(({ value }) => (isObject(value) ? members(value) : [])))
    if (value !== null && !byName.has(plainName(key))) byName.set(plainName(key), [key, value]);
  return Object.fromEntries(byName.values());
}

interface Parts {
  readonly input?: Evidence | undefined;
  readonly params?: Evidence | undefined;
}

function modeParts(mode: MergedMode, surroundings: Surroundings, isShared: boolean): Parts {
  const { near, evidence, names } = surroundings;
  const isOf = (each: Evidence) => each.mode === undefined || plainName(each.mode) === plainName(mode.name);
  const own = mode.from
    .flatMap(({ value, place }) =>
      place === undefined
        ? []
        : [
            ...evidenceOfMode(value, place),
            ...placesIn(place, undefined, MOST_IN_MODE).flatMap((each) => evidenceIn(each, names)),
          ],
    )
    .filter(isOf);
  const shared = evidence.filter(
    (each) =>
      isOf(each) &&
      (each.mode !== undefined || isShared) &&
      (substance(each.shape) > 1 || near.includes(each.place)),
  );
  const tagged = shared.filter((each) => each.mode !== undefined);
  // The mode's own shape before a shared one, unless that restricts more.
  const choose = (part: 'input' | 'params') => {
    const of = (all: readonly Evidence[]) => best(all.filter((each) => each.part === part));
    return [of(own), of(tagged), of(shared)].reduce((chosen, each) =>
      each !== undefined && (chosen === undefined || substance(each.shape) > substance(chosen.shape))
        ? each
        : chosen,
    );
  };
  return { input: choose('input'), params: choose('params') };
}

/** The contract's own flags, in the usual spellings; also a list of required fields with `scope`. */
function isMarkedVectorBacked(mode: UnknownObject): boolean {
  const flag = pick(mode, ...VECTOR_FLAGS);
  if (flag === true || isObject(flag)) return true;
  const scope = pick(mode, 'scope');
  if (scope === true || scope === 'required' || (isObject(scope) && pick(scope, 'required') === true))
    return true;
  const required = pick(mode, 'required', 'requiredfields');
  return Array.isArray(required) && required.includes('scope');
}

/** The examples of the first record that has some. */
function firstExamples(records: readonly UnknownObject[]): readonly RunExample[] {
  const first = firstOf(records, (record) => {
    const examples = examplesIn(record);
    return examples.length > 0 ? examples : undefined;
  });
  return first ?? [];
}

/** Whether an example may be one of this input; with none of its fields it is one of something else. */
function mayBeOf(input: Evidence | undefined, example: RunExample): boolean {
  const schema = input?.shape.schema;
  if (!isObject(schema) || input?.shape.origin === 'example') return true;
  const { properties, additionalProperties } = schema as UnknownObject;
  const fields = isObject(properties) ? members(properties).map(([name]) => plainName(name)) : [];
  const names = members(example.input).map(([name]) => plainName(name));
  if (fields.length === 0 || names.length === 0 || isObject(additionalProperties)) return true;
  return names.some((name) => fields.includes(name));
}

/** The schemas of inputs; where there are none, the input that is only an example. */
function examplesOfSchema(input: Evidence | undefined): readonly RunExample[] {
  if (input === undefined) return [];
  if (input.examples.length > 0) return requestExamples(input.examples);
  const { schema } = input.shape;
  const written = isObject(schema) ? (schema as UnknownObject).examples : undefined;
  return requestExamples(Array.isArray(written) ? written : []);
}

/** Whether records name the kinds of data that the model takes, and images are not among them. */
function takesNoImages(records: readonly UnknownObject[]): boolean {
  const kinds = KINDS.flatMap((name) => records.flatMap((record) => valueWords(pick(record, name)))).join(
    ' ',
  );
  const others = /\b(?:text|audio|video|speech|document)s?\b/i.test(kinds);
  return others && !/image|photo|picture|visual|vision/i.test(kinds);
}

/** pricing: {index: "0.01", search: {...}}. */
function priceOfMode(mode: string, pricing: UnknownObject): ModeContract['price'] {
  const own = pick(pricing, plainName(mode));
  return own === undefined ? undefined : readPrice({ price: own, currency: pick(pricing, 'currency') });
}

/** Names of the schema of a result. */
const OUTPUTS = /^(?:model)?(?:output|response|result)s?(?:json)?(?:schema|contract|spec|definition|shape)?$/;

/**
 * The schema of results, where a body has one beside that of the input: the mode's own, else the model's. It may
 * describe the whole response, with the result in it.
 * @param shared the records around the mode; empty where they are about other modes
 */
function readOutput(mode: MergedMode, shared: readonly RecordPlace[]): Shape | undefined {
  const own = mode.from.flatMap(({ place }) => place ?? []);
  for (const place of [...own, ...shared])
    for (const { schema, document } of schemasIn(place)) {
      const shape: Shape = { schema, origin: 'declared' };
      return completeShape({ shape, around: [...document, ...surroundingRecords(place)] });
    }
  return undefined;
}

function schemasIn(place: RecordPlace): { schema: UnknownObject; document: UnknownObject[] }[] {
  const named = (name: string, value: unknown) =>
    OUTPUTS.test(plainName(name)) && isObject(value) && isSchema(value)
      ? [{ schema: value, document: [] }]
      : [];
  const documented = (value: unknown) => {
    const schema = isObject(value) && isOpenApi(value) ? openApiOutput(value) : undefined;
    return schema ? [{ schema, document: [value as UnknownObject] }] : [];
  };
  const members = lookedAt(place.record).map(([key]) => [key, placeMember(place, key)] as const);
  return [
    ...members.flatMap(([key, value]) => named(key, value)),
    ...[place.record, ...members.map(([, value]) => value)].flatMap(documented),
  ];
}
