import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ReadOnlyReason } from '../domain/storeProblem';
import { Database, type DatabaseFiles } from './database';
import { migrations } from './migrations';
import { sqlite } from './sqlite';
import { asProblem, isBusy, StoreProblem } from './storeProblem';

const DATABASE_FILE = 'model-bench.db';

/** How long opening waits for another program that holds the file. */
const PATIENCE_MS = 10_000;

export interface Opened {
  readonly database: Database;
  readonly file: string;
  /** `rollback`: the file system cannot share memory between processes, so readers and writers take turns. */
  readonly journal: 'wal' | 'rollback';
}

export interface OpenOptions {
  /** Whether a folder is on a network disk. */
  readonly isNetworkDisk?: (folder: string) => boolean;
  readonly patienceMs?: number;
  /** How long a change waits for those of other processes. */
  readonly changePatienceMs?: number;
}

/**
 * Opens the database in a folder of the extension's own, made when it is not there. Throws a `StoreProblem` when it
 * cannot be opened; an existing file is never replaced.
 */
export async function openDatabase(folder: string, options: OpenOptions = {}): Promise<Opened> {
  const until = performance.now() + (options.patienceMs ?? PATIENCE_MS);
  for (;;) {
    try {
      const file = join(folder, DATABASE_FILE);
      const unwritable = makePrivate(folder, file);
      if (unwritable && !existsSync(file)) throw asFolderProblem(unwritable);
      return open(folder, file, unwritable, options);
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw asProblem(error, folder);
      await delay(25);
    }
  }
}

function open(
  folder: string,
  file: string,
  unwritable: ReadOnlyReason | undefined,
  options: OpenOptions,
): Opened {
  const { DatabaseSync } = sqlite();
  let connection = unwritable ? openUnwritable(file) : new DatabaseSync(file);
  try {
    const version = versionOf(connection);
    const readOnly = version > migrations.length ? 'newer' : unwritable;
    if (readOnly === 'newer' && unwritable === undefined) {
      connection.close();
      connection = new DatabaseSync(file, { readOnly: true });
    }
    if (readOnly) {
      if (version === 0)
        throw new StoreProblem('folder', `${file} is empty, and its folder cannot be written.`);
      if (version < migrations.length)
        throw new StoreProblem(
          'folder',
          `${file} is of an earlier version, and its folder cannot be written.`,
        );
      return {
        file,
        journal: journalOf(connection),
        database: new Database(connection, { folder, readOnly }),
      };
    }
    const { isNetworkDisk: isOnNetwork = isNetworkDisk, changePatienceMs: patienceMs } = options;
    const journal = prepare(connection, isOnNetwork(folder));
    const files = watchedFiles(folder, file, options);
    const database = new Database(connection, { folder, files, ...(patienceMs && { patienceMs }) });
    return { file, journal, database };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Brings a database to this version. Every change is synced by its commit. */
function prepare(connection: DatabaseSync, isOnNetwork: boolean): Opened['journal'] {
  const wanted = isOnNetwork ? 'rollback' : 'wal';
  if (journalOf(connection) !== wanted)
    connection.exec(`PRAGMA journal_mode = ${isOnNetwork ? 'DELETE' : 'WAL'}`);
  const journal = journalOf(connection);
  // A synced change may come undone with the name of its rollback journal, unless the folder is synced too (EXTRA).
  connection.exec(`PRAGMA synchronous = ${journal === 'wal' ? 'FULL' : 'EXTRA'}`);
  connection.exec('PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY');
  if (versionOf(connection) < migrations.length) migrate(connection);
  return journal;
}

/** Watches the database and its log by their inodes; a descriptor of ours would drop SQLite's locks when it is closed. */
function watchedFiles(
  folder: string,
  file: string,
  { isNetworkDisk: isOnNetwork = isNetworkDisk }: OpenOptions,
) {
  let identity = identityOf(file);
  const files: DatabaseFiles = {
    areIntact: () => identityOf(file) === identity,
    open() {
      const unwritable = makePrivate(folder, file);
      if (unwritable) throw asFolderProblem(unwritable);
      const connection = new (sqlite().DatabaseSync)(file);
      try {
        if (versionOf(connection) > migrations.length)
          throw new StoreProblem('readOnly', `${file} is of a newer version.`, { reason: 'newer' });
        prepare(connection, isOnNetwork(folder));
        identity = identityOf(file);
        return connection;
      } catch (error) {
        connection.close();
        throw error;
      }
    },
  };
  return files;
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

/**
 * A database in a folder that cannot be written: without a write-ahead log beside it, its file is complete and does
 * not change.
 */
function openUnwritable(file: string): DatabaseSync {
  const { DatabaseSync } = sqlite();
  const isWhole = !existsSync(`${file}-wal`);
  const location = isWhole ? new URL(`${pathToFileURL(file)}?immutable=1`) : file;
  try {
    return new DatabaseSync(location, { readOnly: true });
  } catch (error) {
    // Node.js before 22.15 takes no URL.
    if ((error as NodeJS.ErrnoException).code === 'ERR_INVALID_ARG_TYPE') throw asFolderProblem('folder');
    throw error;
  }
}

/** All or nothing: a connection that is closed after a failure undoes uncommitted changes. */
function migrate(connection: DatabaseSync): void {
  connection.exec('BEGIN IMMEDIATE');
  // Another window may have been first.
  for (let version = versionOf(connection); version < migrations.length; version++) {
    connection.exec(migrations[version]!(hasFts5(connection)));
    connection.exec(`PRAGMA user_version = ${version + 1}`);
  }
  connection.exec('COMMIT');
}

function versionOf(connection: DatabaseSync): number {
  return Number(connection.prepare('PRAGMA user_version').get()?.user_version);
}

function journalOf(connection: DatabaseSync): 'wal' | 'rollback' {
  return connection.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal' ? 'wal' : 'rollback';
}

function hasFts5(connection: DatabaseSync): boolean {
  return connection.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS yes").get()?.yes === 1;
}

/**
 * A folder that only its user can read, and a database file with the mode that SQLite gives to the files beside it too.
 * A file that exists is never opened here: on POSIX, closing any descriptor of it drops all locks of this process on it
 * (https://www.sqlite.org/howtocorrupt.html, section 2.2). Returns the reason when it cannot be written.
 */
function makePrivate(folder: string, file: string): ReadOnlyReason | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    create(file);
    if (process.platform === 'win32') return undefined;
    for (const [path, mode] of [
      [folder, 0o700],
      [file, 0o600],
    ] as const)
      if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
    for (const path of [folder, file]) accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    const problem = asProblem(error, folder);
    if (problem instanceof StoreProblem && problem.kind === 'folder') return 'folder';
    throw problem;
  }
}

function create(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    // Another window has just made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function asFolderProblem(reason: ReadOnlyReason): StoreProblem {
  return new StoreProblem('folder', `The folder of the store cannot be written (${reason}).`);
}

/** `f_type` of file systems over which processes of several machines meet, or without shared memory: statfs(2). */
const networkTypes = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400, 0x0bd00bd0, 0x65735546,
]);

function isNetworkDisk(folder: string): boolean {
  if (process.platform === 'win32') return folder.startsWith('\\\\');
  return process.platform === 'linux' && networkTypes.has(statfsSync(folder).type >>> 0);
}
