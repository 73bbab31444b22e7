import {
  chmodSync,
  closeSync,
  existsSync,
  fdatasync,
  openSync,
  readdirSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, type DatabaseFiles } from './database';
import { makeFolder } from './makeFolder';
import { SCHEMA } from './schema';
import { asProblem, isBusy, StoreProblem } from './storeProblem';

const DATABASE_FILE = 'model-bench.db';

/** How long opening waits for another program that holds the file. */
const PATIENCE_MS = 10_000;

export interface OpenOptions {
  /** Whether a folder is on a network disk. */
  readonly isNetworkDisk?: (folder: string) => boolean;
  readonly patienceMs?: number;
  /** How long a change waits for those of other processes. */
  readonly changePatienceMs?: number;
  /** A database was made beside that of another version, which is in this folder. */
  readonly onSetAside?: (folder: string) => void;
}

/**
 * Opens the database in a folder of the extension's own, made when it is not there. Throws a `StoreProblem` when it
 * cannot be opened; an existing file is never replaced.
 */
export async function openDatabase(folder: string, options: OpenOptions = {}): Promise<Database> {
  const until = performance.now() + (options.patienceMs ?? PATIENCE_MS);
  const file = join(folder, DATABASE_FILE);
  for (;;) {
    try {
      return open(folder, file, options);
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw asProblem(error, folder);
      await delay(25);
    }
  }
}

function open(folder: string, file: string, options: OpenOptions): Database {
  makePrivate(folder, file);
  const connection = new (sqlite().DatabaseSync)(file);
  return closedOnError(connection, () => {
    const isLogged = prepare(connection, folder, options);
    const files = watchedFiles(folder, file, isLogged, options);
    return new Database(connection, { folder, files, patienceMs: options.changePatienceMs });
  });
}

function closedOnError<T>(connection: DatabaseSync, use: () => T): T {
  try {
    return use();
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Makes the tables unless they are there. Returns whether changes go into a write-ahead log, which is synced after their
 * commit: SQLite would hold up the thread until the disk has them. A change in a rollback journal is synced by its commit.
 */
function prepare(connection: DatabaseSync, folder: string, options: OpenOptions): boolean {
  const isOnNetwork = (options.isNetworkDisk ?? isNetworkDisk)(folder);
  // On a network disk processes cannot share memory: with a rollback journal, readers and writers take turns.
  const journal = connection.prepare(`PRAGMA journal_mode = ${isOnNetwork ? 'DELETE' : 'WAL'}`).get()!;
  const isLogged = journal.journal_mode === 'wal';
  // A synced change may come undone with the name of its rollback journal, unless the folder is synced too (EXTRA).
  connection.exec(`PRAGMA synchronous = ${isLogged ? 'NORMAL' : 'EXTRA'}`);
  connection.exec('PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY');
  if (!hasTables(connection)) {
    makeTables(connection);
    const aside = folderOfOtherVersion(folder);
    if (aside !== undefined) options.onSetAside?.(aside);
  }
  return isLogged;
}

/** A store in the same folder whose name differs only after its dash: one of another schema. */
function folderOfOtherVersion(folder: string): string | undefined {
  const [kind] = basename(folder).split('-');
  return readdirSync(dirname(folder))
    .filter((name) => name.split('-')[0] === kind && name !== basename(folder))
    .map((name) => join(dirname(folder), name))
    .find((other) => existsSync(join(other, DATABASE_FILE)));
}

/**
 * Watches the database and its log by their inodes; a descriptor of ours of the database would drop SQLite's locks when it
 * is closed. The log has no locks: their place is the file of its index.
 */
function watchedFiles(folder: string, file: string, isLogged: boolean, options: OpenOptions): DatabaseFiles {
  let identity = identityOf(file);
  let log: number | undefined;
  const close = () => {
    if (log !== undefined) closeSync(log);
    log = undefined;
  };
  const sync = () =>
    new Promise<void>((resolve, reject) => {
      log ??= openSync(`${file}-wal`, 'r+');
      fdatasync(log, (error) => (error ? reject(error) : resolve()));
    });
  return {
    areIntact: () => identityOf(file) === identity,
    ...(isLogged && { sync }),
    close,
    open() {
      close();
      makePrivate(folder, file);
      const connection = new (sqlite().DatabaseSync)(file);
      return closedOnError(connection, () => {
        prepare(connection, folder, options);
        identity = identityOf(file);
        return connection;
      });
    },
  };
}

/** Of a rollback journal, which comes and goes with each change, there is no `-wal`. */
function identityOf(file: string): string {
  return [file, `${file}-wal`].map(inodeOf).join();
}

function inodeOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return 'none';
  }
}

/** All or nothing: a connection that is closed after a failure undoes uncommitted changes. */
function makeTables(connection: DatabaseSync): void {
  connection.exec('BEGIN IMMEDIATE');
  // Another window may have been first.
  if (!hasTables(connection)) connection.exec(SCHEMA);
  connection.exec('COMMIT');
}

function hasTables(connection: DatabaseSync): boolean {
  return connection.prepare('PRAGMA user_version').get()?.user_version !== 0;
}

/**
 * A folder that only its user can read, and a database file with the mode that SQLite gives to the files beside it too.
 * A file that exists is never opened here: on POSIX, closing any descriptor of it drops all locks of this process on it
 * (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
function makePrivate(folder: string, file: string): void {
  makeFolder(folder, 0o700);
  create(file);
  if (process.platform === 'win32') return;
  // Only its owner can do this, and only on a disk that can be written.
  chmodSync(folder, 0o700);
  chmodSync(file, 0o600);
}

/** Makes the file unless there is one. */
function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** `f_type` of file systems over which processes of several machines meet, or without shared memory: statfs(2). */
const networkTypes = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400, 0x0bd00bd0, 0x65735546,
]);

function isNetworkDisk(folder: string): boolean {
  if (process.platform === 'win32') return folder.startsWith('\\\\');
  return process.platform === 'linux' && networkTypes.has(statfsSync(folder).type >>> 0);
}

type Sqlite = typeof import('node:sqlite');

let loaded: Sqlite | undefined;

/**
 * node:sqlite, loaded when it is first needed. Node 22 warns that it is experimental, as the host's standard error
 * would show: that one warning is left out while the module loads (Node 24 prints none).
 */
export function sqlite(): Sqlite {
  loaded ??= withoutWarning(() => process.getBuiltinModule?.('node:sqlite'));
  if (!loaded) throw new StoreProblem('missing', `Node.js ${process.versions.node} has no node:sqlite.`);
  return loaded;
}

function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return;
    (emitWarning as (...all: unknown[]) => void).call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
