import type { StoreFailure, StoreProblemKind } from '../domain/storeProblem';

/** Why the store cannot do its work; `kind` leads to the user's next step. */
export class StoreProblem extends Error implements StoreFailure {
  override readonly name = 'StoreProblem';
  /** Set by the database that met it. */
  folder?: string;

  constructor(
    readonly kind: StoreProblemKind,
    /** For the log; users read words made from the kind. */
    message: string,
    options: ErrorOptions & Pick<StoreFailure, 'folder'> = {},
  ) {
    super(message, options);
    this.folder = options.folder;
  }
}

/** SQLite's result codes, primary and one extended, https://www.sqlite.org/rescode.html. */
const kinds: Readonly<Record<number, StoreProblemKind>> = {
  3: 'folder',
  5: 'locked',
  6: 'locked',
  8: 'folder',
  10: 'io',
  11: 'damaged',
  13: 'diskFull',
  14: 'folder',
  26: 'damaged',
  // SQLITE_IOERR_SHMSIZE: on a full disk there is no room for the index of the write-ahead log.
  4874: 'diskFull',
};

/** SQLite's result code of an error, extended; undefined when it is not SQLite's. */
export function resultCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode : undefined;
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && [5, 6].includes(code & 0xff);
}

/**
 * An error of SQLite or of the file system as a problem of its kind; a mistake of ours stays unchanged.
 * @param folder where the database is
 */
export function asProblem(error: unknown, folder: string): unknown {
  const problem = knownProblem(error);
  if (problem instanceof StoreProblem) problem.folder ??= folder;
  return problem;
}

function knownProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreProblem) return error;
  const sqliteCode = resultCode(error);
  const kind =
    sqliteCode === undefined ? fileProblem(error) : (kinds[sqliteCode] ?? kinds[sqliteCode & 0xff]);
  return kind ? new StoreProblem(kind, error.message, { cause: error }) : error;
}

function fileProblem({ code }: NodeJS.ErrnoException): StoreProblemKind | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'diskFull';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return 'folder';
    case 'EIO':
      return 'io';
    default:
      return undefined;
  }
}
