import { isObject, type UnknownObject } from '../domain/value';
import { MODE_LISTS, modeName } from '../readers/modeNames';
import { plainName, valueWords } from '../readers/records';
import { type Evidence, evidenceIn, evidenceOfMode, substance } from './evidence';
import { childPlace, lookedAt, placesIn, type RecordPlace } from './places';

// The modes that the records of a body list.

/** A mode, with all that one or several lists say of it. */
export interface FoundMode {
  readonly name: string;
  /** Its own records; none: the lists have names only. */
  readonly records: readonly RecordPlace[];
  /** Of its own parts. */
  readonly evidence: readonly Evidence[];
  /** The record that lists it. */
  readonly home?: RecordPlace;
}

/** Section 2.1 names these. */
const INTERFACE_MODES = /^(?:execute|index|search)$/i;
const MOST_MODES = 40;
const MOST_IN_MODE = 30;
const MOST_LISTS = 20;

/**
 * The modes of a model. A list of modes with schemas is preferred to a list of names, which may be about something
 * else: other lists only add to these modes, or add the interface's own modes.
 *
 * @param hasInput whether the model has an input schema outside of any list
 */
export function findModes(places: readonly RecordPlace[], hasInput: boolean): readonly FoundMode[] {
  const lists = places
    .flatMap((home) => lookedAt(home.record).map(([key, list]) => ({ home, key, list })))
    .filter(({ key }) => MODE_LISTS.includes(plainName(key)))
    .slice(0, MOST_LISTS)
    .map(({ home, key, list }) => {
      const modes = modesIn(list, home, key);
      const isOfInterface = modes.some(({ name }) => INTERFACE_MODES.test(name));
      // "operations" may be those of anything.
      const isSure = plainName(key).includes('mode');
      return { modes, isMeant: isSure || isOfInterface || !hasInput, rank: +!isSure * 2 + +!isOfInterface };
    });
  const isDetailed = ({ evidence }: FoundMode) => evidence.some(({ shape }) => substance(shape) > 1);
  const meant = lists
    .filter(({ modes, isMeant }) => modes.length > 0 && isMeant)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ modes }) => modes);
  const preferred = meant.find((modes) => modes.some(isDetailed)) ?? meant[0] ?? [];
  const merged = new Map(preferred.map((mode) => [plainName(mode.name), mode]));
  for (const mode of meant.flatMap((modes) => (modes === preferred ? [] : modes))) {
    const key = plainName(mode.name);
    const known = merged.get(key);
    if (known === undefined && !INTERFACE_MODES.test(mode.name)) continue;
    const { records, evidence } = mode;
    merged.set(key, {
      ...(known ?? mode),
      records: [...(known?.records ?? []), ...records],
      evidence: [...(known?.evidence ?? []), ...evidence],
    });
  }
  return [...merged.values()];
}

function modesIn(list: unknown, home: RecordPlace, key: string): FoundMode[] {
  const at = childPlace(home, key, {});
  const entries: (readonly [name: string | undefined, value: unknown, at: string | number])[] = isObject(list)
    ? lookedAt(list).map(([name, value]) => [name, value, name])
    : Array.isArray(list)
      ? list.map((mode: unknown, index) => [modeName(mode), mode, index])
      : valueWords(list).map((name) => [name, undefined, 0]);
  const seen = new Set<string>();
  return entries.slice(0, MOST_MODES).flatMap(([name, value, index]): FoundMode[] => {
    // {index: false}: a table of a model's abilities.
    if (name === undefined || value === false || seen.has(name)) return [];
    seen.add(name);
    if (typeof value !== 'object' || value === null) return [{ name, records: [], evidence: [], home }];
    const place = childPlace(at, index, isObject(value) ? (value as UnknownObject) : {});
    const inside = placesIn(place, MOST_IN_MODE).flatMap((each) => evidenceIn(each));
    return [{ name, records: [place], evidence: [...evidenceOfMode(value, place), ...inside], home }];
  });
}
