import { hasMore } from '../domain/many';
import type { ModelContract } from '../domain/model';
import type { RawResponse } from '../domain/response';
import type { UnknownObject } from '../domain/value';
import { readSummary } from '../readers/catalog';
import { MODE_LISTS } from '../readers/modeNames';
import { readPrice } from '../readers/price';
import { asText, firstOf, members, pick, pickText } from '../readers/records';
import { best, evidenceIn, substance } from './evidence';
import { limitsAsNumbers } from './limits';
import { findModes } from './modeLists';
import { readMode } from './modes';
import { placesOfModel, type RecordPlace, rootPlace } from './places';
import { nameRole } from './roles';

// A model's detail: "body: not shown".

/** A contract has some hundreds. The worst body of this size takes 40 ms; a response may hold the host for 100. */
const MOST_VALUES = 30_000;

/** Like `readModel`, for a response: one with more values than any contract is a model without a known contract. */
export function readDetail(raw: RawResponse, asked: string): ModelContract | undefined {
  const isLarge = [...',[{'].some((sign) => hasMore(raw.bytes, sign.charCodeAt(0), MOST_VALUES));
  if (!isLarge) return readModel(limitsAsNumbers(structuredClone(raw.json)), asked);
  return { ...unknownModel(asked), raw: raw.json, tooLargeToRead: true };
}

/** A model of which nothing but its slug is known. */
export const unknownModel = (slug: string): ModelContract => readModel({}, slug)!;

/**
 * A model's contract, or undefined when the body is no object or reports an error. An object without any contract
 * still is a model: any input, in the interface's default mode.
 * @param asked the slug that was asked for, used where the body has none; requests name it
 */
export function readModel(json: unknown, asked: string): ModelContract | undefined {
  const root = rootPlace(json);
  if (root === undefined) return undefined;
  const places = placesOfModel(root, asked);
  const evidence = places.flatMap((place) => evidenceIn(place));
  const hasInput = evidence.some(({ part, shape }) => part === 'input' && substance(shape) > 1);
  const listed = findModes(places, hasInput);
  const detail = detailOf(places);
  const isEmpty = detail === undefined && listed.length === 0 && evidence.length === 0;
  if (isEmpty && (Array.isArray(json) || places.some(isFailure))) return undefined;
  const { slug, ...record }: UnknownObject = detail?.record ?? {};
  const summary = readSummary({ slug: asText(slug) ?? asked, ...record });
  const input = best(evidence.filter(({ part }) => part === 'input'))?.place;
  const home = (listed[0]?.home ?? input)?.record;
  const near = places.filter((place) => place === detail || place.record === home);
  // Modes that no list names but that a document has paths for.
  const documented = [...new Set(evidence.flatMap(({ mode }) => mode ?? []))];
  const named = (name: string) => ({ name, records: [], evidence: [] });
  const declared = listed.length > 0 ? listed : documented.map(named);
  const modes = declared.length === 0 ? [named('execute')] : declared;
  const names = modes.map(({ name }) => name);
  return {
    ...(summary ?? { slug: asked, name: asked, tags: [] }),
    price: summary?.price ?? firstOf(places.slice(0, 30), ({ record }) => readPrice(record)),
    modeNames: declared.map(({ name }) => name),
    raw: json,
    version: firstOf(places, ({ record }) => pickText(record, 'version', 'modelversion', 'release')),
    modes: modes.map((mode) => readMode(mode, near, evidence, names)),
    modesDeclared: declared.length > 0,
  };
}

/** The record that is about the model: the first with a slug, a list of modes or an input, else with a name. */
function detailOf(places: readonly RecordPlace[]): RecordPlace | undefined {
  const describes = ({ record }: RecordPlace) =>
    pick(record, 'slug', 'modelslug', ...MODE_LISTS) !== undefined ||
    members(record).some(([key]) => nameRole(key) === 'input');
  const isNamed = ({ record }: RecordPlace) => pick(record, 'id', 'name', 'title', 'description');
  return places.find(describes) ?? places.find((place) => isNamed(place) && !isFailure(place));
}

function isFailure({ record }: RecordPlace): boolean {
  return pick(record, 'error', 'errors', 'message', 'detail') !== undefined;
}
