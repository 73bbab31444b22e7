import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json } from '../../domain/json';
import { isMediaObject } from '../../domain/media';
import { segmentsOf } from '../../domain/pointer';
import type { RunDraft } from '../../domain/run';
import { valueText } from '../../domain/words';
import { contentTypeOf } from '../../intake/contentType';
import type { ComparedPlace } from '../file/format';
import type { ExperimentItem, ItemFile } from '../file/items';
import { readBody, shownBodyPath } from '../files/bodies';
import { measuredValue, UNREADABLE } from '../results/measuredValue';
import { type ResultLine, resultFiles } from '../results/resultLine';
import { isContentMark } from '../results/resultMedia';
import type { JudgedValue } from './template';

/** A larger file of a result is not judged. */
const MOST_BYTES = 64_000_000;

/** The input of a row: its one value, or its values by the names of their places; without rows the run's own input. */
export function inputValue({ values, files }: ExperimentItem, base: RunDraft): JudgedValue {
  const own = Object.keys(values).length > 0 ? values : base.input;
  const named = Object.entries(own).map(([place, value]) => [placeholderName(place), shown(value)] as const);
  const [only, ...others] = named;
  const text =
    only && others.length === 0
      ? isMediaObject(Object.values(own)[0])
        ? undefined
        : valueText(only[1])
      : JSON.stringify(Object.fromEntries(named));
  return { ...(text !== undefined && { text }), ...(files[0] && { file: files[0] }) };
}

/** The last part of a pointer that is no number: "/input/images/0" is of "images". */
function placeholderName(place: string): string {
  if (!place.startsWith('/')) return place;
  return segmentsOf(place).findLast((segment) => !/^\d+$/.test(segment)) ?? place;
}

/** A local file by its name: its address is of this computer. */
function shown(value: Json): Json {
  return isMediaObject(value) ? (value.filename ?? posix.basename(value.media_ref)) : value;
}

export function expectedValue({ expected }: ExperimentItem): JudgedValue {
  return expected === undefined || expected === null ? {} : { text: valueText(expected) };
}

/**
 * The part of a result that is judged, and the first medium that the result has as a file.
 * @param results absolute path of the results file
 */
export async function outputValue(
  line: ResultLine,
  at: ComparedPlace,
  results: string,
  withFile: boolean,
): Promise<JudgedValue> {
  const value = measuredValue(line, at);
  const isText = value !== undefined && value !== UNREADABLE && !isContentMark(value);
  const file = withFile ? await mediumOf(line, results) : undefined;
  return { ...(isText && { text: valueText(value) }), ...(file && { file }) };
}

async function mediumOf(line: ResultLine, results: string): Promise<ItemFile | undefined> {
  const name = resultFiles(line).find((one) => !/\.(?:json|txt)$/i.test(one));
  const path = name === undefined ? undefined : shownBodyPath(results, name);
  const bytes =
    name === undefined || path === undefined ? undefined : await readBody(results, name, MOST_BYTES);
  if (name === undefined || path === undefined || !bytes || contentTypeOf(name) === undefined)
    return undefined;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const uri = pathToFileURL(path).href;
  return { path, uri, filename: posix.basename(name), sizeBytes: bytes.length, sha256 };
}
