import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';

/*
 * The one way to the files of experiments and of the command line: a repository may have a link, a pipe or a device in
 * the place of a file. Links are not followed, only regular files are read or written, and no more than is asked for.
 */

/** The bytes of a file, and the facts that distinguish it from another one of its name. */
export interface ReadBytes {
  readonly bytes: Buffer;
  readonly inode: number;
}

/**
 * Undefined: there is no such file.
 * @throws when it is no regular file, or larger
 */
export async function readFileAt(path: string, mostBytes: number): Promise<ReadBytes | undefined> {
  const opened = await openFile(path, constants.O_RDONLY);
  if (!opened) return undefined;
  const { handle, facts } = opened;
  const { size, ino: inode } = facts;
  try {
    if (size > mostBytes) throw new Error(l10n.t('“{0}” is too large to be read.', basename(path)));
    const bytes = Buffer.alloc(size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { bytes: bytes.subarray(0, length), inode };
  } finally {
    await handle.close();
  }
}

/** Bytes of a piece: few enough for texts of pieces to be freed at once. */
const PIECE_BYTES = 2 ** 19;

/**
 * The bytes of a file, one piece after another in one buffer: a piece is gone when the next is asked for. A missing
 * file has no pieces, any other one at least.
 * @param start the first byte
 * @throws when it is no regular file, or with the sentence when it is larger
 */
export async function* piecesAt(
  path: string,
  mostBytes: number,
  tooLargeText: string,
  start = 0,
): AsyncGenerator<ReadBytes> {
  const opened = await openFile(path, constants.O_RDONLY);
  if (!opened) return;
  const { handle, facts } = opened;
  try {
    if (facts.size > mostBytes) throw new Error(tooLargeText);
    yield* piecesOf(handle, facts, start);
  } finally {
    await handle.close();
  }
}

/** The same of an open file, up to its size. */
export async function* piecesOf(
  handle: FileHandle,
  { size, ino: inode }: Pick<Stats, 'size' | 'ino'>,
  start: number,
): AsyncGenerator<ReadBytes> {
  const bytes = Buffer.alloc(Math.max(1, Math.min(PIECE_BYTES, size - start)));
  let from = start;
  do {
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    if (bytesRead === 0 && from > start) return;
    from += bytesRead;
    yield { bytes: bytes.subarray(0, bytesRead), inode };
    if (bytesRead === 0) return;
  } while (from < size);
}

/**
 * An input or a run file that an experiment names: a link inside its folder may lead to it, which was followed when
 * it was found (see `ownFile`). A link or pipe that has taken its place since is not followed or awaited.
 * @throws when there is none, and as `readFileAt` does
 */
export async function readInput(path: string, mostBytes: number): Promise<Uint8Array> {
  const read = await readFileAt(await realpath(path), mostBytes);
  if (!read) throw Object.assign(new Error(path), { code: 'ENOENT' });
  return read.bytes;
}

/**
 * Adds bytes at the end of a file, in one piece between those of other writers; they are on the disk when this resolves.
 * @param contentOf of the opened file
 * @param isMade a missing file is made; else it resolves to false
 * @param then reads it, before it is closed
 */
export async function appendToFile(
  path: string,
  contentOf: (handle: FileHandle, facts: Stats) => Promise<Uint8Array>,
  isMade = true,
  then?: (handle: FileHandle) => Promise<void>,
): Promise<boolean> {
  const flags = constants.O_RDWR | constants.O_APPEND;
  const opened = await openFile(path, isMade ? flags | constants.O_CREAT : flags);
  if (!opened) return false;
  const { handle, facts } = opened;
  const { size } = facts;
  try {
    const bytes = await contentOf(handle, facts);
    // `appendFile` writes half a megabyte at a time: lines of others would come between. Only a full disk takes less.
    let at = 0;
    try {
      while (at < bytes.length) at += (await handle.write(bytes, at)).bytesWritten;
    } catch (error) {
      // Half a line would have to be repaired by hand; one of another writer may follow it.
      if ((await handle.stat()).size === size + at) await handle.truncate(size);
      throw error;
    }
    await handle.datasync();
    await then?.(handle);
    return true;
  } finally {
    await handle.close();
  }
}

/** Whether there is a file. @throws when something else has its name */
export async function isThere(path: string): Promise<boolean> {
  return (await fileStats(path)) !== undefined;
}

/** Whether there is certainly no file of that name. */
export async function isGone(path: string): Promise<boolean> {
  return !(await isThere(path).catch(() => true));
}

/**
 * Puts a file in the place of another, completely or not at all. Special files stay.
 * @param mode of a new file
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  mode = 0o644,
): Promise<void> {
  const before = await fileStats(path);
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(8).toString('hex')}.part`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(part, flags, before ? before.mode & 0o777 : mode);
  try {
    const isWhole = typeof content === 'string' || content instanceof Uint8Array;
    // Each continues behind the one before.
    for (const piece of isWhole ? [content] : content) await handle.writeFile(piece);
    await handle.datasync();
    await handle.close();
    await rename(part, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

/** Renames a file or a folder of ours. False: there is none, or something has the new name already. */
export async function moveUnlessTaken(from: string, to: string): Promise<boolean> {
  const [own, taken] = await Promise.all([from, to].map((path) => lstat(path).catch(() => undefined)));
  if (!own || own.isSymbolicLink() || taken) return false;
  await rename(from, to);
  return true;
}

/** Makes a folder beside a file of ours. @throws when something else has its name */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o755 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  if (!(await isFolder(path)))
    throw new Error(l10n.t('“{0}” is not a folder, so results cannot be written into it.', basename(path)));
}

/** Whether it is a folder, and no link to one. */
export async function isFolder(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  return facts?.isDirectory() ?? false;
}

/**
 * @param path below the root
 * @throws when the path, a folder on its way from the root, or something in it is a link
 */
export async function refuseLinks(root: string, path: string): Promise<void> {
  for (let at = path; at !== root && at !== dirname(at); at = dirname(at))
    if ((await lstat(at).catch(() => undefined))?.isSymbolicLink()) throw linkFound(at);
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => []))
    if (entry.isSymbolicLink()) throw linkFound(join(path, entry.name));
}

/** A file or folder of another kind than it must be: its user has to name or move it. */
export class WrongPlace extends Error {}

function linkFound(path: string): Error {
  return new WrongPlace(l10n.t('“{0}” is a link, and is not followed.', basename(path)));
}

/** Whether a report can be written there. Does not write it. */
export async function isWritable(path: string): Promise<boolean> {
  try {
    const opened = await openFile(path, constants.O_WRONLY);
    await opened?.handle.close();
    return opened !== undefined || (await stays(dirname(path)));
  } catch {
    return false;
  }
}

/** Whether a folder takes files. */
async function stays(folder: string): Promise<boolean> {
  const probe = join(folder, `.${randomBytes(8).toString('hex')}.part`);
  const handle = await open(probe, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  await handle.close();
  await rm(probe, { force: true });
  return true;
}

interface OpenedFile {
  readonly handle: FileHandle;
  readonly facts: Stats;
}

/** Undefined: there is no such file, and none is asked to be made. */
async function openFile(path: string, flags: number): Promise<OpenedFile | undefined> {
  // Windows cannot refuse a link as it opens it: it is looked at before, and compared after.
  const before = await fileStats(path);
  if (!before && (flags & constants.O_CREAT) === 0) return undefined;
  const safe = flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, safe, 0o644).catch((error: unknown) => {
    // ELOOP: it is a symbolic link; ENXIO: a socket, or a pipe.
    if (['ELOOP', 'ENXIO', 'EISDIR'].includes(codeOf(error))) throw notAFile(path);
    if (codeOf(error) !== 'ENOENT' || (flags & constants.O_CREAT) !== 0) throw error;
  });
  if (!handle) return undefined;
  const facts = await handle.stat();
  if (facts.isFile()) return { handle, facts };
  await handle.close();
  throw notAFile(path);
}

/** Undefined: there is no such file. @throws when it is no regular file */
async function fileStats(path: string): Promise<Stats | undefined> {
  const facts = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (facts && !facts.isFile()) throw notAFile(path);
  return facts ?? undefined;
}

function notAFile(path: string): Error {
  return new WrongPlace(l10n.t('“{0}” is not a file.', basename(path)));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
