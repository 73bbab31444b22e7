import type { ModelContract } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { readSummary } from './catalog';
import { MODE_LISTS } from './modeNames';
import { findModes, hasInput, readMode } from './modes';
import { firstOf, layersIn, pick, pickText } from './records';

// A model's detail: "body: not shown".

/** Where a detail keeps its contract when it is not at the top. */
const CONTRACTS = words(`
  contract modelcontract apicontract interface spec
  release publishedrelease latestrelease currentrelease version latestversion
  manifest api config schema schemas
`);
const WRAPPERS = words('model data result item publishedmodel');
/** Contracts are looked for this deep. */
const MOST_DEPTH = 4;

/**
 * A model's contract, or undefined when the body is no object or reports an error. An object without any contract
 * still stands for the model: any input, in the interface's default mode.
 * @param asked the slug that was asked for, used where the body has none; requests name it
 */
export function readModel(json: unknown, asked: string): ModelContract | undefined {
  const detail = detailIn(json);
  if (detail === undefined) return undefined;
  const layers = layersIn(detail, [...CONTRACTS, ...WRAPPERS], MOST_DEPTH);
  const { modes: found, home = layers.find(hasInput) ?? detail } = findModes(layers);
  const modes = found.length === 0 ? [{ name: 'execute', own: {} }] : found;
  const near = home === detail ? [detail] : [home, detail];
  const far = layers.filter((layer) => !near.includes(layer));
  const names = modes.map(({ name }) => name);
  const summary = readSummary({ slug: asked, ...detail });
  return {
    ...(summary ?? { slug: asked, name: asked, tags: [] }),
    modeNames: found.map(({ name }) => name),
    raw: json,
    version: firstOf(layers, (layer) =>
      pickText(layer, 'version', 'releaseversion', 'modelversion', 'release'),
    ),
    modes: modes.map((mode) => readMode(mode, { near, far }, names)),
    modesDeclared: found.length > 0,
  };
}

function detailIn(json: unknown): UnknownObject | undefined {
  const found = unwrapped(json);
  if (found !== undefined) return found;
  const isError = isObject(json) && pick(json, 'error', 'errors', 'message', 'detail') !== undefined;
  return isObject(json) && !isError ? {} : undefined;
}

/** The model inside the usual wrappers. */
function unwrapped(json: unknown, depth = 0): UnknownObject | undefined {
  if (Array.isArray(json)) return json.length === 1 ? unwrapped(json[0], depth + 1) : undefined;
  if (!isObject(json) || depth > 3) return undefined;
  if (pick(json, 'slug', ...MODE_LISTS) !== undefined || hasInput(json)) return json;
  const inner = firstOf(WRAPPERS, (name) => unwrapped(pick(json, name), depth + 1));
  if (inner !== undefined) return inner;
  const named = pick(json, 'id', 'name', 'displayname', 'title', 'description', ...CONTRACTS) !== undefined;
  const failed = pick(json, 'error', 'errors') !== undefined;
  return named && !failed ? json : undefined;
}
