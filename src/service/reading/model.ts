import type { ModeContract, ModelContract, Shape } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { MODE_LISTS, modeName, readSummary, wordsOf } from './catalog';
import { documentedShape } from './documentedShapes';
import { readExamples } from './examples';
import { readPrice } from './money';
import { pick, pickRecord, pickText, plainName } from './records';
import { isSchema, readShape } from './shape';

// A model's detail: "body: not shown". Modes come as an object, an array, a list of names, or not at all;
// schemas under the usual names, in each mode or once for the model.

const INPUT_NAMES = [
  'inputschema',
  'inputcontract',
  'inputjsonschema',
  'requestschema',
  'input',
  'inputs',
  'inputfields',
];
const PARAMS_NAMES = [
  'paramsschema',
  'parametersschema',
  'paramschema',
  'parameterschema',
  'params',
  'parameters',
  'paramscontract',
  'paramfields',
];
/** Where a detail keeps its contract when it is not at the top. */
const CONTRACTS = [
  'contract',
  'modelcontract',
  'apicontract',
  'interface',
  'spec',
  'release',
  'publishedrelease',
  'latestrelease',
  'currentrelease',
  'version',
  'latestversion',
  'manifest',
  'api',
  'config',
  'schema',
  'schemas',
];
const VECTOR_MODES = /^(?:index|search)$/i;
const UNKNOWN: Shape = { schema: true, origin: 'unknown' };

/**
 * A model's contract, or undefined when the body is no object or tells of an error. An object that tells nothing
 * still responses for the model: it takes what nobody knows, in the interface's default mode.
 * @param asked the slug that was asked for: it stands in when the body has none, and stays what requests name
 */
export function readModel(json: unknown, asked: string): ModelContract | undefined {
  const detail = unwrapped(json) ?? saysNothing(json);
  if (detail === undefined) return undefined;
  const layers = [detail, ...CONTRACTS.map((name) => pick(detail, name)).filter(isObject)];
  // One level deeper: {release: {contract: {modes}}}.
  const all = [
    ...layers,
    ...layers.slice(1).flatMap((layer) => CONTRACTS.map((name) => pick(layer, name)).filter(isObject)),
  ];
  const home = all.find((layer) => pick(layer, ...MODE_LISTS) !== undefined) ?? all.find(hasShapes) ?? detail;
  const told = readModes(pick(home, ...MODE_LISTS));
  const modes = told.length === 0 ? [{ name: 'execute', own: {} }] : told;
  const summary = readSummary({ slug: asked, ...detail });
  return {
    ...(summary ?? { slug: asked, name: asked, tags: [] }),
    modeNames: told.map(({ name }) => name),
    raw: json,
    version: versionOf(all),
    modes: modes.map(({ name, own }) => readMode(name, own, home, detail, modes.length)),
    modesDeclared: told.length > 0,
  };
}

/** The model inside the usual wrappers. */
function unwrapped(json: unknown, depth = 0): UnknownObject | undefined {
  if (Array.isArray(json)) return json.length === 1 ? unwrapped(json[0], depth + 1) : undefined;
  if (!isObject(json) || depth > 3) return undefined;
  if (pick(json, 'slug', ...MODE_LISTS) !== undefined || hasShapes(json)) return json;
  for (const name of ['model', 'data', 'result', 'item', 'publishedmodel']) {
    const inner = unwrapped(pick(json, name), depth + 1);
    if (inner !== undefined) return inner;
  }
  const named = pick(json, 'id', 'name', 'displayname', 'title', 'description', ...CONTRACTS) !== undefined;
  const failed = pick(json, 'error', 'errors') !== undefined;
  return named && !failed ? json : undefined;
}

function saysNothing(json: unknown): UnknownObject | undefined {
  const isError = isObject(json) && pick(json, 'error', 'errors', 'message', 'detail') !== undefined;
  return isObject(json) && !isError ? {} : undefined;
}

function hasShapes(record: UnknownObject): boolean {
  return pick(record, ...INPUT_NAMES) !== undefined;
}

function readModes(modes: unknown): { name: string; own: UnknownObject }[] {
  const entries: [string | undefined, unknown][] = isObject(modes)
    ? Object.entries(modes)
    : Array.isArray(modes)
      ? modes.map((mode) => [modeName(mode), mode])
      : wordsOf(modes).map((name) => [name, undefined]);
  const seen = new Set<string>();
  return entries.flatMap(([name, own]) => {
    // {index: false}: a table of what a model can and cannot.
    if (name === undefined || own === false || seen.has(name)) return [];
    seen.add(name);
    return [{ name, own: isObject(own) ? own : {} }];
  });
}

function readMode(
  name: string,
  own: UnknownObject,
  home: UnknownObject,
  detail: UnknownObject,
  count: number,
): ModeContract {
  const vectorBacked = VECTOR_MODES.test(name) || saysVectorBacked(own);
  const shared = count === 1 || /^execute$/i.test(name);
  const input = shapeOf(name, own, [home, detail], INPUT_NAMES, shared);
  const params = shapeOf(name, own, [home, detail], PARAMS_NAMES, shared);
  return {
    name,
    title: pickText(own, 'title', 'displayname', 'label'),
    description: pickText(own, 'description', 'summary'),
    vectorBacked,
    input: input ?? (takesNoImages(detail) ? undefined : documentedShape(name)) ?? UNKNOWN,
    params: params ?? UNKNOWN,
    examples: readExamples(own, shared ? [home, detail] : [], INPUT_NAMES),
    price: readPrice(own) ?? priceOfMode(name, home) ?? priceOfMode(name, detail),
  };
}

/** The contract's own word for it, in the usual spellings; also a schema that asks for `scope`. */
function saysVectorBacked(mode: UnknownObject): boolean {
  const flag = pick(
    mode,
    'vectorbacked',
    'vectorenabled',
    'isvector',
    'vector',
    'requiresscope',
    'scoperequired',
    'usesscope',
    'needsscope',
    'usesvectorstore',
  );
  if (flag === true || isObject(flag)) return true;
  const scope = pick(mode, 'scope');
  if (scope === true || scope === 'required' || (isObject(scope) && pick(scope, 'required') === true))
    return true;
  const required = pick(mode, 'required', 'requiredfields');
  return Array.isArray(required) && required.includes('scope');
}

/**
 * A mode's input or params: its own first, else the model's table of modes (`input_schema: {index: ..., search: ...}`),
 * else the model's one schema, which is read as that of `execute` or of the only mode: two modes of a vector model
 * take different input, and giving both the same shape would be a guess.
 */
function shapeOf(
  mode: string,
  own: UnknownObject,
  homes: readonly UnknownObject[],
  names: readonly string[],
  shared: boolean,
): Shape | undefined {
  for (const name of names) {
    const shape = readShape(pick(own, name));
    if (shape !== undefined) return shape;
  }
  for (const wrapper of ['schema', 'schemas', 'contract', 'request', 'spec']) {
    const inner = pickRecord(own, wrapper);
    if (inner === undefined || isSchema(inner)) continue;
    for (const name of names) {
      const shape = readShape(pick(inner, name));
      if (shape !== undefined) return shape;
    }
  }
  const plainMode = plainName(mode);
  for (const home of homes) {
    for (const name of names) {
      const value = pick(home, name);
      if (isObject(value) && !isSchema(value)) {
        const ofMode = readShape(pick(value, plainMode));
        if (
          ofMode !== undefined &&
          Object.keys(value).every(
            (key) => /^(?:execute|index|search)$/i.test(key) || plainName(key) === plainMode,
          )
        )
          return ofMode;
      }
      const shape = shared ? readShape(value) : undefined;
      if (shape !== undefined) return shape;
    }
    const table = pickRecord(home, 'schemas', 'contracts');
    const ofMode = table === undefined ? undefined : pickRecord(table, plainMode);
    if (ofMode !== undefined) {
      const shape = names.map((name) => readShape(pick(ofMode, name))).find((found) => found !== undefined);
      if (shape !== undefined) return shape;
    }
  }
  return undefined;
}

/** Whether the detail names the kinds of data that the model takes, and images are not among them. */
function takesNoImages(detail: UnknownObject): boolean {
  const kinds = [
    'modality',
    'modalities',
    'inputmodalities',
    'inputtypes',
    'mediatype',
    'mediatypes',
    'task',
    'category',
    'tags',
  ]
    .flatMap((name) => wordsOf(pick(detail, name)))
    .join(' ');
  const others = /\b(?:text|audio|video|speech|document)s?\b/i.test(kinds);
  return others && !/image|photo|picture|visual|vision/i.test(kinds);
}

/** pricing: {index: "0.01", search: {...}}. */
function priceOfMode(mode: string, home: UnknownObject): ModeContract['price'] {
  const pricing = pickRecord(home, 'pricing', 'prices', 'price');
  const own = pricing === undefined ? undefined : pick(pricing, plainName(mode));
  if (own === undefined) return undefined;
  return readPrice({ price: own, currency: pricing && pick(pricing, 'currency') });
}

function versionOf(layers: readonly UnknownObject[]): string | undefined {
  for (const layer of layers) {
    const version = pickText(layer, 'version', 'releaseversion', 'modelversion', 'release');
    if (version !== undefined) return version;
  }
  return undefined;
}
