import mime from 'mime';
import type { Json } from '../../domain/json';
import { getAt } from '../../domain/value';
import { bodyText } from '../../intake/bodyText';
import type { ComparedPlace } from '../file/format';
import { readBody } from '../files/bodies';
import {
  type Comparing,
  holdValue,
  isHeld,
  isInLine,
  measuredValue,
  placeIn,
  UNREADABLE,
  type Unreadable,
} from './measuredValue';
import type { ResultLine } from './resultLine';
import { contentMark } from './resultMedia';

/** A larger file is not read for a figure. */
const MOST_BYTES = 32_000_000;
/** Characters of all values that are held for the figures of one table. */
const MOST_HELD = 200_000_000;
const AT_ONCE = 8;

/** Reads the compared and the checked parts of results: see `readCompared`. */
export async function readMeasured(
  file: string,
  lines: Iterable<ResultLine>,
  { at, checked = [] }: Comparing,
): Promise<void> {
  const all = [...lines];
  for (const place of new Set([at, ...checked])) await readCompared(file, all, place);
}

/**
 * Reads the compared part of results in files of their own, so that `measuredValue` has it. Each file is read once; a
 * value that cannot be read is not measured, and that is reported.
 * @param file absolute path of the results file
 * @param at the compared part
 * @returns how many could not be read
 */
export async function readCompared(
  file: string,
  lines: Iterable<ResultLine>,
  at: ComparedPlace,
): Promise<number> {
  const inFiles = [...lines].filter((line) => line.state === 'finished' && !isInLine(line, at));
  const known = inFiles.filter((line) => isHeld(line, at));
  // Those that could not be read are tried again: their files may have arrived since.
  const pending = inFiles.filter((line) => !isHeld(line, at)).values();
  let left = known.reduce((rest, line) => rest - valueSize(measuredValue(line, at)), MOST_HELD);
  const readNext = async () => {
    for (const line of pending) {
      const value = left <= 0 ? UNREADABLE : await comparedIn(file, line, placeIn(at, line.variation));
      left -= valueSize(value);
      holdValue(line, at, value);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readNext));
  return inFiles.filter((line) => measuredValue(line, at) === UNREADABLE).length;
}

function valueSize(value: Json | undefined | Unreadable): number {
  if (typeof value === 'string') return value.length;
  return value !== null && typeof value === 'object' ? JSON.stringify(value).length : 0;
}

async function comparedIn(
  file: string,
  line: ResultLine,
  at: string,
): Promise<Json | undefined | Unreadable> {
  const name = line.result_file!;
  const bytes = await readBody(file, name, MOST_BYTES).catch(() => undefined);
  if (!bytes) return UNREADABLE;
  const type = mime.getType(name) ?? '';
  if (type.startsWith('text/')) return at === '' ? bodyText(bytes, type) : undefined;
  // Other bytes are compared by their content.
  if (type !== 'application/json') return at === '' ? contentMark(bytes) : undefined;
  try {
    return getAt(JSON.parse(bodyText(bytes, type)) as Json, at);
  } catch {
    return UNREADABLE;
  }
}
