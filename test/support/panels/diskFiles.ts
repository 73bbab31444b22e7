import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileSystemError, FileType, type Uri } from './values';

/** `workspace.fs` over the disk. */
export function diskAsFileSystem(): Record<string, unknown> {
  const known = async <T>(uri: Uri, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw FileSystemError.FileNotFound(uri);
      if (code === 'EACCES' || code === 'EPERM') throw FileSystemError.NoPermissions(uri);
      throw error;
    }
  };
  const typeOf = (facts: { isFile(): boolean; isDirectory(): boolean }) =>
    facts.isFile() ? FileType.File : facts.isDirectory() ? FileType.Directory : FileType.Unknown;
  return {
    stat: async (uri: Uri) => {
      const facts = await known(uri, stat(uri.fsPath));
      return { type: typeOf(facts), ctime: facts.ctimeMs, mtime: facts.mtimeMs, size: facts.size };
    },
    readFile: async (uri: Uri) => new Uint8Array(await known(uri, readFile(uri.fsPath))),
    writeFile: async (uri: Uri, bytes: Uint8Array) => {
      await mkdir(path.dirname(uri.fsPath), { recursive: true });
      await known(uri, writeFile(uri.fsPath, bytes));
    },
    readDirectory: async (uri: Uri) =>
      (await known(uri, readdir(uri.fsPath, { withFileTypes: true }))).map((entry) => [
        entry.name,
        typeOf(entry),
      ]),
    createDirectory: async (uri: Uri) => void (await mkdir(uri.fsPath, { recursive: true })),
    delete: (uri: Uri, { recursive = false } = {}) => known(uri, rm(uri.fsPath, { recursive })),
    rename: (from: Uri, to: Uri) => known(from, rename(from.fsPath, to.fsPath)),
  };
}
