/**
 * Why the sandbox cannot use its data:
 * - `locked`: another program holds the database
 * - `damaged`: found while running; at the start, a damaged database is set aside
 * - `folder`: the folder or a file in it cannot be written
 * - `missing`: this Node.js has no node:sqlite
 */
type DataProblemKind = 'locked' | 'damaged' | 'diskFull' | 'folder' | 'missing';

export class DataProblem extends Error {
  override readonly name = 'DataProblem';

  constructor(
    readonly kind: DataProblemKind,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${SENTENCES[kind]} (${detail})`, options);
  }
}

const SENTENCES: Readonly<Record<DataProblemKind, string>> = {
  locked: 'Another program holds the database of the sandbox: close it and try again.',
  damaged: 'The database of the sandbox is damaged: restart the sandbox, which then begins with a new one.',
  diskFull: 'The disk is full: free some space and try again. Nothing was changed or charged.',
  folder: 'The sandbox cannot write to its folder: check its permissions.',
  missing: 'The sandbox needs node:sqlite, which VS Code has from version 1.105 on: update VS Code.',
};

/** SQLite's primary result codes, https://www.sqlite.org/rescode.html. */
const SQLITE_KINDS: Readonly<Record<number, DataProblemKind>> = {
  3: 'folder',
  5: 'locked',
  6: 'locked',
  8: 'folder',
  11: 'damaged',
  13: 'diskFull',
  14: 'folder',
  26: 'damaged',
};

const FILE_KINDS: Readonly<Record<string, DataProblemKind>> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EACCES: 'folder',
  EPERM: 'folder',
  EROFS: 'folder',
  ENOTDIR: 'folder',
};

/** An error of SQLite or of the file system as a problem of its kind; other errors stay unchanged. */
export function asDataProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DataProblem) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const kind = code === 'ERR_SQLITE_ERROR' ? SQLITE_KINDS[Number(errcode) & 0xff] : FILE_KINDS[String(code)];
  return kind === undefined ? error : new DataProblem(kind, error.message, { cause: error });
}
