import { chmodSync, closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from './database';
import { asDataProblem, DataProblem } from './dataProblem';
import { FILE_MODE } from './privateFiles';
import { SCHEMA_VERSION, schema } from './schema';

const FILE = 'sandbox.db';
/** SQLite keeps these beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** How long opening waits for a program that holds the file for a moment, such as a backup. */
const PATIENCE_MS = 3_000;

interface OpenedDatabase {
  readonly database: Database;
  /** Where a damaged database, or one of another version, was moved, which the open one replaces. */
  readonly setAside?: string;
}

/**
 * Opens the database of a data folder, made when it is not there. Only one process has it open. A damaged file, or
 * one of another version, is set aside, never deleted. @throws {DataProblem}
 */
export function openDatabase(dataDir: string): OpenedDatabase {
  const file = join(dataDir, FILE);
  try {
    return { database: open(file) };
  } catch (error) {
    const problem = asDataProblem(error);
    if (!(problem instanceof DataProblem) || problem.kind !== 'damaged') throw problem;
    const setAside = moveAside(file);
    return { database: open(file), setAside };
  }
}

function open(file: string): Database {
  const { DatabaseSync } = loadSqlite();
  // SQLite gives its mode to the files beside it. An existing file is not opened: on POSIX, closing it would end the
  // locks of a connection that this process has.
  if (!existsSync(file)) closeSync(openSync(file, 'a', FILE_MODE));
  chmodSync(file, FILE_MODE);
  const connection = new DatabaseSync(file);
  try {
    // Play money and copies of users' files: a change survives the death of the process, and a loss of power may take
    // the last ones, never a part of one.
    connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON`);
    const version = Number(connection.prepare('PRAGMA user_version').get()?.user_version);
    if (version > 0 && version !== SCHEMA_VERSION) throw new DataProblem('damaged', `version ${version}`);
    const checked = connection.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (checked !== 'ok') throw new DataProblem('damaged', String(checked));
    if (version === 0)
      connection.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
    return new Database(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function moveAside(file: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const aside = file.replace(/\.db$/, `.damaged-${time}.db`);
  for (const companion of ['', ...COMPANIONS]) {
    if (existsSync(file + companion)) renameSync(file + companion, aside + companion);
  }
  return aside;
}

/**
 * node:sqlite, loaded when the database is opened. Node 22 warns that it is experimental; that one warning is left
 * out, as the process's standard error is shown to users.
 */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return;
    (emitWarning as (...all: unknown[]) => void).call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite');
    if (sqlite === undefined) throw new DataProblem('missing', `Node.js ${process.versions.node}`);
    return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
}
