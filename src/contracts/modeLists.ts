import { addAll } from '../domain/many';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { modeName } from '../readers/modeNames';
import { members, pick, pickText, plainName, valueWords } from '../readers/records';
import { evidenceIn } from './evidence';
import { isSchema } from './jsonSchema';
import { childPlace, lookedAt, placeMember, placesIn, type RecordPlace } from './places';
import { substance } from './ranking';
import { nameRole } from './roles';

// The modes that the records of a body list.

/** A mode as one list has it. */
interface FoundMode {
  readonly name: string;
  /** Its own record, list of fields or schema; missing: the list has names only. */
  readonly value?: unknown;
  readonly place?: RecordPlace;
}

export interface ModeList {
  readonly modes: readonly FoundMode[];
  readonly place: RecordPlace;
  /** The value that lists them. */
  readonly list: unknown;
  /** How surely the name means modes: 0 "modes", 1 "operations", 2 any other name. */
  readonly doubt: 0 | 1 | 2;
  /** Some of the modes carry a schema. */
  readonly isDetailed: boolean;
}

const SURE = words('modes supportedmodes availablemodes modecontracts modeschemas runmodes');
const LIKELY = words('operations supportedoperations availableoperations operationcontracts');
/** Section 2.1 names these. */
const INTERFACE_MODES = /^(?:execute|index|search)$/i;
const MOST_MODES = 40;
/** Records of a mode that are looked at. */
export const MOST_IN_MODE = 30;

/** Lists to search for parts of one mode. */
const MOST_SAID = 8;
/** Lists that are looked at. */
const MOST_LISTS = 20;

/** Every list of modes in these records. */
export function findModeLists(places: readonly RecordPlace[]): ModeList[] {
  const lists: ModeList[] = [];
  for (const place of places) {
    if (lists.length >= MOST_LISTS) break;
    addAll(lists, modeListsIn(place));
  }
  return lists;
}

function modeListsIn(place: RecordPlace): ModeList[] {
  const lists: ModeList[] = [];
  for (const [key] of lookedAt(place.record)) {
    const name = plainName(key);
    const doubt = SURE.includes(name) ? 0 : LIKELY.includes(name) ? 1 : 2;
    const list = placeMember(place, key);
    if (doubt === 2 && !hasInterfaceModes(list)) continue;
    const home = isObject(list) ? childPlace(place, key, list) : place;
    const modes = modesIn(list, home, key);
    const kept = doubt === 2 ? modes.filter(isSurelyMode) : modes;
    if (kept.length > 0) lists.push(modeList(kept, place, list, doubt));
  }
  const own = ownModes(place);
  if (own.length > 0) lists.push(modeList(own, place, undefined, 2));
  return lists;
}

/** Whether an entry beside one of the interface's modes is a mode: it has an input, and is no bare schema. */
function isSurelyMode(mode: FoundMode): boolean {
  const { name, value, place } = mode;
  if (INTERFACE_MODES.test(name)) return carriesSchema(mode);
  if (place === undefined || !isObject(value) || isSchema(value) || nameRole(name) !== 'layer') return false;
  return evidenceIn(place, []).some(({ part, shape }) => part === 'input' && substance(shape) > 1);
}

function modeList(
  modes: readonly FoundMode[],
  place: RecordPlace,
  list: unknown,
  doubt: 0 | 1 | 2,
): ModeList {
  return { modes, place, list, doubt, isDetailed: modes.some(carriesSchema) };
}

/** {slug, execute: {input_schema}, search: {...}}: the modes are members beside others. */
function ownModes(place: RecordPlace): FoundMode[] {
  return members(place.record)
    .filter(([key, value]) => INTERFACE_MODES.test(key) && isObject(value))
    .flatMap(([name]) => modesIn({ [name]: place.record[name] }, place, name))
    .filter(carriesSchema);
}

function hasInterfaceModes(list: unknown): boolean {
  if (Array.isArray(list))
    return list.some((item) => isObject(item) && INTERFACE_MODES.test(modeName(item) ?? ''));
  return (
    isObject(list) &&
    !isSchema(list) &&
    ['execute', 'index', 'search'].some((name) => isObject(pick(list, name)))
  );
}

function modesIn(list: unknown, home: RecordPlace, key: string): FoundMode[] {
  const entries: [name: string | undefined, value: unknown, at: string | number][] = isObject(list)
    ? members(list)
        .slice(0, MOST_MODES)
        .map(([name, value]) => [name, value, name])
    : Array.isArray(list)
      ? list.slice(0, MOST_MODES).map((mode, index) => [modeName(mode), mode, index])
      : valueWords(list).map((name) => [name, undefined, 0]);
  const seen = new Set<string>();
  const named = new Set(entries.map(([name]) => name));
  // Of several contracts of one mode, those that no longer hold come last.
  const ordered =
    named.size === entries.length
      ? entries
      : [...entries.filter(holds), ...entries.filter((entry) => !holds(entry))];
  return ordered.flatMap(([name, value, at]): FoundMode[] => {
    // {index: false}: a table of a model's abilities.
    if (name === undefined || value === false || seen.has(name)) return [];
    seen.add(name);
    if (typeof value !== 'object' || value === null) return [{ name }];
    const parent = Array.isArray(list) ? childPlace(home, key, {}) : home;
    const record = isObject(value) ? (value as UnknownObject) : {};
    return [{ name, value, place: childPlace(parent, at, record) }];
  });
}

function holds([, mode]: readonly [unknown, unknown, ...unknown[]]): boolean {
  if (!isObject(mode)) return true;
  const state = pickText(mode, 'status', 'state', 'lifecycle', 'stage') ?? '';
  const isRetired = /^(?:deprecated|retired|archived|inactive|disabled)$/i.test(state);
  return !isRetired && pick(mode, 'deprecated', 'archived') !== true;
}

/** Cached: lists contain lists, which contain modes. */
const carriers = new WeakMap<object, boolean>();

function carriesSchema({ value, place }: FoundMode): boolean {
  if (place === undefined || typeof value !== 'object' || value === null) return false;
  const known = carriers.get(value) ?? describesInput(value, place);
  carriers.set(value, known);
  return known;
}

function describesInput(value: object, place: RecordPlace): boolean {
  if (!Array.isArray(value) && isSchema(value as UnknownObject)) return true;
  if (Array.isArray(value))
    return value.some((item) => isObject(item) && pick(item, 'name', 'key') !== undefined);
  const places = placesIn(place, undefined, MOST_IN_MODE);
  return places.some((each) => evidenceIn(each, []).some(({ shape }) => substance(shape) > 1));
}

/** A mode and the places that say something of it. */
export interface MergedMode {
  readonly name: string;
  readonly from: readonly FoundMode[];
}

/**
 * The modes of a model. A list of modes with schemas is preferred to a list of names, which may be about something
 * else: other lists only add to these modes, or add the interface's own modes.
 *
 * @param hasInput whether the model has an input schema outside of any list
 */
export function mergedModes(lists: readonly ModeList[], hasInput: boolean): readonly MergedMode[] {
  const rank = ({ doubt, place, modes }: ModeList) =>
    doubt * 1000 + (modes.some(({ name }) => INTERFACE_MODES.test(name)) ? 0 : 500) + place.cost;
  const ranked = lists.toSorted((a, b) => rank(a) - rank(b));
  const isMeant = ({ doubt, modes }: ModeList) =>
    doubt === 0 || !hasInput || modes.some(({ name }) => INTERFACE_MODES.test(name));
  const meant = ranked.filter(isMeant);
  const preferred = meant.find(({ isDetailed }) => isDetailed) ?? meant[0];
  if (preferred === undefined) return [];
  const merged = new Map<string, { name: string; from: FoundMode[] }>();
  for (const list of [preferred, ...meant.filter((each) => each !== preferred)])
    for (const mode of list.modes) {
      const key = plainName(mode.name);
      const known = merged.get(key);
      if (known !== undefined) {
        if (known.from.length < MOST_SAID) known.from.push(mode);
      } else if (list === preferred || INTERFACE_MODES.test(mode.name))
        merged.set(key, { name: mode.name, from: [mode] });
    }
  return [...merged.values()];
}
