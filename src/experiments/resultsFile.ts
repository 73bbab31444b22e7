import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { StoredResult } from '../store/experimentResults';
import { type ReadResults, ResultsReader } from './results';

/** Names of what belongs to an experiment, beside it. */
export interface ResultPlaces {
  /** Absolute path of `NAME.results.jsonl`. */
  readonly file: string;
  /** Name of the folder of large results, `NAME.results`. */
  readonly folder: string;
}

/** @param experiment absolute path of `NAME.experiment.json` */
export function resultPlaces(experiment: string): ResultPlaces {
  const file = experiment.replace(/(?:\.experiment)?\.json$/, '.results.jsonl');
  return placesOf(file === experiment ? `${experiment}.results.jsonl` : file);
}

/** @param file absolute path of a results file */
export function placesOf(file: string): ResultPlaces {
  return {
    file,
    folder: `${file.slice(dirname(file).length + 1).replace(/(?:\.results)?\.jsonl$/, '')}.results`,
  };
}

/**
 * The results that stand in a file; none when there is no such file. A repository may have a link, a pipe or a device in
 * its place: reading one of those may never end.
 * @param reader the one that has read it before, where it is read again and again
 */
export async function readResultsFile(file: string, reader = new ResultsReader()): Promise<ReadResults> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(file, flags).catch((error: unknown) => noFile(error, file));
  try {
    const facts = await handle?.stat();
    if (!handle || !facts) return reader.read('');
    if (!facts.isFile()) throw new Error(l10n.t('“{0}” is not a file.', basename(file)));
    if (facts.size > MOST_BYTES) throw new Error(l10n.t('“{0}” is too large to be read.', basename(file)));
    return reader.read(await handle.readFile('utf8'));
  } finally {
    await handle?.close();
  }
}

/** As one string; 10,000 cells take some tens of megabytes, since long results are files of their own. */
const MOST_BYTES = 256 * 2 ** 20;

function noFile(error: unknown, file: string): undefined {
  const { code } = error as { code?: unknown };
  // ELOOP: it is a symbolic link; ENXIO: a socket.
  if (code === 'ELOOP' || code === 'ENXIO') throw new Error(l10n.t('“{0}” is not a file.', basename(file)));
  if (code !== 'ENOENT') throw error;
}

/**
 * Adds results at the end of their file, those with a body after that. A line that was torn by the end of a process
 * stays, and the next begins on a line of its own. Symbolic links are not followed: a repository could lead elsewhere.
 */
export async function appendResults(
  file: string,
  results: readonly Pick<StoredResult, 'line' | 'body'>[],
): Promise<void> {
  for (const { body } of results) if (body) await writeBody(dirname(file), body);
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(file, flags, 0o644);
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    const isTorn = size > 0 && last[0] !== 0x0a;
    await handle.appendFile(`${isTorn ? '\n' : ''}${results.map(({ line }) => `${line}\n`).join('')}`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function writeBody(root: string, { name, bytes }: NonNullable<StoredResult['body']>): Promise<void> {
  const [folder = '', ...rest] = name.split('/');
  await mkdir(join(root, folder), { recursive: true });
  if (!(await lstat(join(root, folder))).isDirectory())
    throw new Error(l10n.t('“{0}” is not a folder, so results cannot be written into it.', folder));
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(join(root, folder, ...rest), flags, 0o644);
  try {
    // A table may be showing it: a file that is written anew is empty for a moment, and cannot be read.
    if (await holds(handle, bytes)) return;
    await handle.truncate();
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
}

async function holds(handle: FileHandle, bytes: Uint8Array): Promise<boolean> {
  if ((await handle.stat()).size !== bytes.length) return false;
  const found = Buffer.alloc(bytes.length);
  // At a place of its own: what is written after this begins at the start of the file.
  await handle.read({ buffer: found, position: 0 });
  return found.equals(bytes);
}

/** Why results cannot be written, and that they are not lost. */
export function cannotWriteText(file: string, error: unknown): string {
  const detail = error instanceof Error ? error.message : String(error);
  return l10n.t(
    'The results cannot be written into “{0}”: {1}. They are kept, and written when you resume.',
    file,
    detail,
  );
}
