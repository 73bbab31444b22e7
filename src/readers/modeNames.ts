import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { asText, members, pick, pickText, valueWords } from './records';

/** Where bodies list modes. */
export const MODE_LISTS = words(
  'modes supportedmodes availablemodes operations supportedoperations modecontracts',
);

/** The names of the modes, in the contract's order, from a table, a list or comma-separated text. */
export function readModeNames(record: UnknownObject): string[] {
  const modes = pick(record, ...MODE_LISTS);
  if (isObject(modes)) return members(modes).map(([name]) => name);
  if (typeof modes === 'string') return valueWords(modes);
  if (!Array.isArray(modes)) return [];
  return [...new Set(modes.map(modeName).filter((name) => name !== undefined))];
}

/** The value to send in `mode`. */
export function modeName(mode: unknown): string | undefined {
  return isObject(mode) ? pickText(mode, 'mode', 'name', 'slug', 'key', 'id', 'operation') : asText(mode);
}
