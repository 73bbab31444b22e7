import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ReadOnlyReason } from '../domain/storeProblem';
import { Database } from './database';
import { LogSync } from './logSync';
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
 * Opens the database in a folder of the extension's own, made when it is not there. What keeps it from being opened
 * is thrown as a `StoreProblem`; a file that is there is never replaced.
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
  { isNetworkDisk: isOnNetwork = isNetworkDisk, changePatienceMs: patienceMs }: OpenOptions,
): Opened {
  const { DatabaseSync } = sqlite();
  let connection = unwritable ? openUnwritable(file) : new DatabaseSync(file, { timeout: 0 });
  try {
    const version = versionOf(connection);
    const readOnly = version > migrations.length ? 'newer' : unwritable;
    if (readOnly === 'newer' && unwritable === undefined) {
      connection.close();
      connection = new DatabaseSync(file, { readOnly: true, timeout: 0 });
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
    const wanted = isOnNetwork(folder) ? 'DELETE' : 'WAL';
    if (journalOf(connection) !== (wanted === 'WAL' ? 'wal' : 'rollback'))
      connection.exec(`PRAGMA journal_mode = ${wanted}`);
    const journal = journalOf(connection);
    connection.exec('PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY');
    if (version < migrations.length) migrate(connection);
    const database = new Database(connection, {
      folder,
      ...(journal === 'wal' ? { log: LogSync.of(file) } : { syncsEverything: true }),
      ...(patienceMs && { patienceMs }),
    });
    database.checkpointAfter();
    return { file, journal, database };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * A database in a folder in which nothing can be made: without a write-ahead log beside it, it is whole in its file
 * and nobody changes it.
 */
function openUnwritable(file: string): DatabaseSync {
  const { DatabaseSync } = sqlite();
  const isWhole = !existsSync(`${file}-wal`);
  const location = isWhole ? new URL(`${pathToFileURL(file)}?immutable=1`) : file;
  return new DatabaseSync(location, { readOnly: true, timeout: 0 });
}

/** As a whole or not at all: a connection that is closed after a failure undoes what it has not committed. */
function migrate(connection: DatabaseSync): void {
  connection.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
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
 * A folder that only its user can read, and a database file that SQLite gives the same mode to what it puts beside it.
 * Returns what kept it from being written.
 */
function makePrivate(folder: string, file: string): ReadOnlyReason | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
    if (process.platform === 'win32') return undefined;
    for (const [path, mode] of [
      [folder, 0o700],
      [file, 0o600],
    ] as const)
      if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
    return undefined;
  } catch (error) {
    const problem = asProblem(error, folder);
    if (problem instanceof StoreProblem && problem.kind === 'folder') return 'folder';
    throw problem;
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
