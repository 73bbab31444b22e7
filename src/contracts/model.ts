import type { ModelContract } from '../domain/model';
import type { RawResponse } from '../domain/response';
import type { UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { readSummary } from '../readers/catalog';
import { MODE_LISTS } from '../readers/modeNames';
import { readPrice } from '../readers/price';
import { asText, firstOf, members, pick, pickText } from '../readers/records';
import { type Evidence, evidenceIn } from './evidence';
import { limitsAsNumbers } from './limits';
import { findModeLists, type MergedMode, mergedModes } from './modeLists';
import { readMode, readSurroundings } from './modes';
import { ofModel, placesIn, type RecordPlace, rootPlace } from './places';
import { best, substance } from './ranking';
import { nameRole } from './roles';

// A model's detail: "body: not shown".

/**
 * A contract has some hundreds of values. The worst body of this size takes 40 ms; a response may hold the host for
 * 100.
 */
const MOST_VALUES = 30_000;

/**
 * Like `readModel`, for a response: a body with more values than any contract counts as a model without a known
 * contract.
 */
export function readDetail(raw: RawResponse, asked: string): ModelContract | undefined {
  if (!hasMoreValues(raw.bytes, MOST_VALUES))
    return readModel(limitsAsNumbers(structuredClone(raw.json)), asked);
  const nothing = readModel({}, asked);
  return nothing && { ...nothing, raw: raw.json, tooLargeToRead: true };
}

/** Whether there are more commas than `most`. */
function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length && count <= most; at++) if (bytes[at] === 0x2c) count++;
  return count > most;
}

/**
 * A model's contract, or undefined when the body is no object or reports an error. An object without any contract
 * still is a model: any input, in the interface's default mode.
 * @param asked the slug that was asked for, used where the body has none; requests name it
 */
export function readModel(json: unknown, asked: string): ModelContract | undefined {
  const root = rootPlace(json);
  if (root === undefined) return undefined;
  const all = ofModel(placesIn(root), asked);
  const lists = findModeLists(all);
  const listed = new Set(lists.map(({ list }) => list).filter((list) => typeof list === 'object'));
  const ownModes = lists.filter(({ list }) => list === undefined).flatMap(({ modes }) => modes);
  const except = new Set([...listed, ...ownModes.map(({ value }) => value)]);
  const own = new Set(all.map(({ record }) => record));
  const places = ofModel(placesIn(root, except), asked).filter(({ record }) => own.has(record));
  const detail = detailOf(places);
  const names = lists.flatMap(({ modes }) => modes.map(({ name }) => name));
  const evidence = places.flatMap((place) => evidenceIn(place, [...names, 'execute', 'index', 'search']));
  const merged = mergedModes(lists, evidence.some(hasInput));
  if (detail === undefined && merged.length === 0 && evidence.length === 0) {
    if (all.some(({ record }) => isFailure(record)) || Array.isArray(json)) return undefined;
  }
  const { slug, ...record }: UnknownObject = detail?.record ?? {};
  const summary = readSummary({ slug: asText(slug) ?? asked, ...record });
  const home = lists.find(({ modes }) => modes.some((mode) => merged[0]?.from.includes(mode)))?.place;
  const input = best(evidence.filter(({ part }) => part === 'input'))?.place;
  const near = places.filter((place) => place === detail || place.record === (home ?? input)?.record);
  const declared = merged.length > 0 ? merged : modesOfEvidence(evidence);
  const modes = declared.length === 0 ? [{ name: 'execute', from: [] }] : declared;
  const surroundings = readSurroundings(
    near,
    places,
    evidence,
    modes.map(({ name }) => name),
  );
  return {
    ...(summary ?? { slug: asked, name: asked, tags: [] }),
    price: summary?.price ?? firstOf(places.slice(0, MOST_PRICED), (place) => readPrice(place.record)),
    modeNames: declared.map(({ name }) => name),
    raw: json,
    version: firstOf(places, (place) =>
      pickText(place.record, 'version', 'releaseversion', 'modelversion', 'release'),
    ),
    modes: modes.map((mode) => readMode(mode, surroundings)),
    modesDeclared: declared.length > 0,
  };
}

/** Modes that no list names but that have schemas: those of an OpenAPI document's paths, or "search_input_schema". */
function modesOfEvidence(evidence: readonly Evidence[]): readonly MergedMode[] {
  const names = new Set(evidence.flatMap(({ mode }) => mode ?? []));
  return [...names].map((name) => ({ name, from: [] }));
}

function hasInput(evidence: Evidence): boolean {
  return evidence.part === 'input' && substance(evidence.shape) > 1;
}

/** Layers in which a price is looked for. */
const MOST_PRICED = 30;

const NAMES = words('id name displayname title description');

/** The record that is about the model: the first with a slug, a list of modes or an input, else with a name. */
function detailOf(places: readonly RecordPlace[]): RecordPlace | undefined {
  const describes = ({ record }: RecordPlace) =>
    pick(record, 'slug', 'modelslug', 'endpointid', ...MODE_LISTS) !== undefined ||
    members(record).some(([key]) => nameRole(key) === 'input');
  const isNamed = ({ record }: RecordPlace) => pick(record, ...NAMES) !== undefined && !isFailure(record);
  return places.find(describes) ?? places.find(isNamed);
}

function isFailure(record: UnknownObject): boolean {
  return pick(record, 'error', 'errors', 'message', 'detail') !== undefined;
}
