import type { ModeContract, Shape } from '../../domain/model';
import { isVectorMode } from '../../domain/requestFaults';
import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { documentedShape } from './documentedShapes';
import { readExamples } from './examples';
import { modeLists, modeName } from './modeNames';
import { readPrice } from './price';
import { firstOf, pick, pickRecord, pickText, plainName, wordsOf } from './records';
import { isSchema, readShape } from './shape';

// The modes of a model. They come as an object, an array, a list of names, or not at all; their schemas under the
// usual names, in each mode or once for the model.

const INPUT_NAMES = words('inputschema inputcontract inputjsonschema requestschema input inputs inputfields');
const PARAMS_NAMES = words(`
  paramsschema parametersschema paramschema parameterschema params parameters paramscontract paramfields
`);
/** Flags of a mode that reads or writes an indexed dataset. */
const VECTOR_FLAGS = words(`
  vectorbacked vectorenabled isvector vector requiresscope scoperequired usesscope needsscope usesvectorstore
`);
/** Names under which models list the kinds of data that they take. */
const KINDS = words('modality modalities inputmodalities inputtypes mediatype mediatypes task category tags');
/** Section 2.1 names these. */
const INTERFACE_MODES = /^(?:execute|index|search)$/i;
const UNKNOWN: Shape = { schema: true, origin: 'unknown' };

/** A mode as a body has it, before its schemas are looked for. */
export interface FoundMode {
  readonly name: string;
  readonly own: UnknownObject;
}

export function hasInput(record: UnknownObject): boolean {
  return pick(record, ...INPUT_NAMES) !== undefined;
}

/**
 * The modes that the layers of a detail declare. A list whose modes carry schemas is preferred to a list of names, which
 * may be about something else: from other lists come only what they add to these modes, and the interface's own modes.
 */
export function findModes(layers: readonly UnknownObject[]): {
  readonly modes: readonly FoundMode[];
  /** The layer with the preferred list. */
  readonly home?: UnknownObject;
} {
  const lists = layers.flatMap((layer) => modeLists(layer).map((list) => ({ layer, modes: modesIn(list) })));
  const detailed = lists.find(({ modes }) => modes.some(carriesSchema));
  const preferred = detailed ?? lists.find(({ modes }) => modes.length > 0);
  if (preferred === undefined) return { modes: [] };
  const byName = new Map(preferred.modes.map((mode) => [plainName(mode.name), mode]));
  for (const mode of lists.filter((list) => list !== preferred).flatMap(({ modes }) => modes)) {
    const name = plainName(mode.name);
    const known = byName.get(name);
    if (known !== undefined)
      byName.set(name, { name: known.name, own: { ...known.own, ...without(mode.own, known.own) } });
    else if (detailed && INTERFACE_MODES.test(mode.name)) byName.set(name, mode);
  }
  return { modes: [...byName.values()], home: preferred.layer };
}

/** The members of `own` that `known` has under no spelling. */
function without(own: UnknownObject, known: UnknownObject): UnknownObject {
  return Object.fromEntries(Object.entries(own).filter(([key]) => pick(known, plainName(key)) === undefined));
}

function modesIn(modes: unknown): FoundMode[] {
  const entries: [string | undefined, unknown][] = isObject(modes)
    ? Object.entries(modes)
    : Array.isArray(modes)
      ? modes.map((mode) => [modeName(mode), mode])
      : wordsOf(modes).map((name) => [name, undefined]);
  const seen = new Set<string>();
  return entries.flatMap(([name, own]) => {
    // {index: false}: a table of what a model can and cannot do.
    if (name === undefined || own === false || seen.has(name)) return [];
    seen.add(name);
    return [{ name, own: isObject(own) ? own : {} }];
  });
}

function carriesSchema({ own }: FoundMode): boolean {
  return ownShapes(own, INPUT_NAMES).length > 0 || ownShapes(own, PARAMS_NAMES).length > 0;
}

/** Where a model's own schemas, examples and prices may be. */
export interface Layers {
  /** The record that lists the modes, and the detail itself. */
  readonly near: readonly UnknownObject[];
  /** Other records inside the detail: an example of an input in them may be anything, so only schemas count. */
  readonly far: readonly UnknownObject[];
}

/**
 * The contract of one mode.
 *
 * @param names of all modes
 */
export function readMode({ name, own }: FoundMode, layers: Layers, names: readonly string[]): ModeContract {
  const { near } = layers;
  // Two modes of a vector model take different input, so the model's one schema is not that of both.
  const shared = names.length === 1 || /^execute$/i.test(name);
  const input = bestShape(shapesOf(name, own, layers, INPUT_NAMES, names, shared));
  const params = bestShape(shapesOf(name, own, layers, PARAMS_NAMES, names, shared));
  return {
    name,
    title: pickText(own, 'title', 'displayname', 'label'),
    description: pickText(own, 'description', 'summary'),
    vectorBacked: isVectorMode(name) || isMarkedVectorBacked(own),
    input: input ?? (takesNoImages(near) ? undefined : documentedShape(name)) ?? UNKNOWN,
    params: params ?? UNKNOWN,
    examples: readExamples(own, shared ? near : [], INPUT_NAMES),
    price: readPrice(own) ?? firstOf(near, (layer) => priceOfMode(name, layer)),
  };
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

/** The first shape that is declared or made from fields; an example only where there is no such. */
function bestShape(shapes: readonly Shape[]): Shape | undefined {
  return shapes.find(isDescribed) ?? shapes[0];
}

function isDescribed({ origin }: Shape): boolean {
  return origin !== 'example';
}

/** A mode's input or params: its own, those of a table by mode, and the model's one schema where it is shared. */
function shapesOf(
  mode: string,
  own: UnknownObject,
  { near, far }: Layers,
  names: readonly string[],
  modes: readonly string[],
  shared: boolean,
): Shape[] {
  const found = ownShapes(own, names);
  if (found.some(isDescribed)) return found;
  const isMode = (key: string) =>
    INTERFACE_MODES.test(key) || modes.some((name) => plainName(name) === plainName(key));
  const valuesIn = (layer: UnknownObject) => {
    const table = pickRecord(layer, 'schemas', 'contracts');
    const ofMode = table === undefined ? undefined : pickRecord(table, plainName(mode));
    return [
      ...valuesOf(layer, names).flatMap((value) => {
        // input_schema: {index: ..., search: ...}
        const isTable = isObject(value) && !isSchema(value) && Object.keys(value).every(isMode);
        return isTable ? pick(value, plainName(mode)) : shared ? value : undefined;
      }),
      ...(ofMode === undefined ? [] : valuesOf(ofMode, names)),
    ];
  };
  return [
    ...found,
    ...shapesIn(near.flatMap(valuesIn)),
    ...shapesIn(far.flatMap(valuesIn)).filter(isDescribed),
  ];
}

/** {input_schema: ...} and {schema: {input: ...}} of a mode. */
function ownShapes(own: UnknownObject, names: readonly string[]): Shape[] {
  const wrapped = ['schema', 'schemas', 'contract', 'request', 'spec']
    .map((wrapper) => pickRecord(own, wrapper))
    .filter((inner) => inner !== undefined && !isSchema(inner)) as UnknownObject[];
  return shapesIn([own, ...wrapped].flatMap((record) => valuesOf(record, names)));
}

function valuesOf(record: UnknownObject, names: readonly string[]): unknown[] {
  return names.map((name) => pick(record, name)).filter((value) => value !== undefined);
}

function shapesIn(values: readonly unknown[]): Shape[] {
  return values.map((value) => readShape(value)).filter((shape) => shape !== undefined);
}

/** Whether records name the kinds of data that the model takes, and images are not among them. */
function takesNoImages(records: readonly UnknownObject[]): boolean {
  const kinds = KINDS.flatMap((name) => records.flatMap((record) => wordsOf(pick(record, name)))).join(' ');
  const others = /\b(?:text|audio|video|speech|document)s?\b/i.test(kinds);
  return others && !/image|photo|picture|visual|vision/i.test(kinds);
}

/** pricing: {index: "0.01", search: {...}}. */
function priceOfMode(mode: string, layer: UnknownObject): ModeContract['price'] {
  const pricing = pickRecord(layer, 'pricing', 'prices', 'price');
  const own = pricing === undefined ? undefined : pick(pricing, plainName(mode));
  if (own === undefined) return undefined;
  return readPrice({ price: own, currency: pricing && pick(pricing, 'currency') });
}
