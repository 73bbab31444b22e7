import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFolder, makeFolder, readFileAt, replaceFile } from './door';
import { resultFilePlaces } from './places';

/** Bytes of a name: file systems take 255. */
const LONGEST_NAME = 200;

/**
 * The file of a result that a line, a row of the store or a page names: the folder of the experiment's results and
 * one plain name. The folder is always that of the results file: an experiment may have been renamed, or its shards
 * merged. Undefined: the name is invalid.
 * @param results absolute path of the results file
 */
export function bodyPath(results: string, name: string): string | undefined {
  const [folder = '', file = '', ...others] = name.split('/');
  if (others.length > 0 || !isPlainName(folder) || !isPlainName(file)) return undefined;
  return join(dirname(results), resultFilePlaces(results).folder, file);
}

/** A name that every file system takes, of one file that is not hidden. */
export function isPlainName(name: string): boolean {
  if (name === '' || Buffer.byteLength(name) > LONGEST_NAME) return false;
  // Rejects names that lead elsewhere, hide, or are a device or a stream of Windows.
  if (/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Surrogate}]/u.test(name) || /^[. ]|[. ]$/.test(name)) return false;
  return !/^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i.test(name);
}

/** The path of a result's file where it can be shown: it and its folder are no links. */
export function shownBodyPath(results: string, name: string): string | undefined {
  const path = bodyPath(results, name);
  if (path === undefined) return undefined;
  const facts = lstatSync(path, { throwIfNoEntry: false });
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
  return facts?.isFile() && folder?.isDirectory() ? path : undefined;
}

/** The content of a result's file; undefined: there is none that may be read. */
export async function readBody(
  results: string,
  name: string,
  mostBytes: number,
): Promise<Uint8Array | undefined> {
  const path = bodyPath(results, name);
  if (path === undefined || !(await isFolder(dirname(path)))) return undefined;
  return (await readFileAt(path, mostBytes).catch(() => undefined))?.bytes;
}

/** Writes a result's file, unless it is there already: a table may be showing it. An invalid name is left out. */
export async function writeBody(results: string, name: string, bytes: Uint8Array): Promise<void> {
  const path = bodyPath(results, name);
  if (path === undefined) return;
  await makeFolder(dirname(path));
  const present = await readFileAt(path, bytes.length).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== undefined) throw error;
  });
  if (present && Buffer.compare(present.bytes, bytes) === 0) return;
  await replaceFile(path, bytes);
}
