import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chargeRun, type RunRecord, setWallet } from '../billing/accounts';
import { isObject, type JsonObject } from '../json';
import { keepUpload, type MediaRecord } from '../media/mediaStore';
import { keepJob } from '../runs/jobStore';
import { putVector } from '../vectors/vectorRows';
import type { Database } from './database';
import { DataProblem } from './dataProblem';

/** The files of version 0.1.0, records of JSON, one a line, and how a record becomes rows. */
const FILES: Readonly<Record<string, (database: Database, row: JsonObject) => void>> = {
  'accounts.jsonl': importAccount,
  'media.jsonl': (database, row) => keepUpload(database, row as unknown as MediaRecord),
  'jobs.jsonl': (database, { run_id, body }) => keepJob(database, String(run_id), body as object),
  'vectors.jsonl': importVector,
};

/**
 * Takes over the data of version 0.1.0 in one transaction, and removes its files after it: killed before its end,
 * nothing has happened; killed after it, the next start removes them. A file with lines that cannot be read is kept
 * as `NAME.unreadable`.
 */
export function importFirstVersion(database: Database, dataDir: string): void {
  const found = Object.keys(FILES).filter((name) => existsSync(join(dataDir, name)));
  if (found.length === 0) return;
  const unreadable = new Set<string>();
  database.transaction(() => {
    for (const name of found) {
      const path = join(dataDir, name);
      const lines = unreadableLines(database, name, path) ?? importFile(database, path, FILES[name]!);
      if (lines > 0) unreadable.add(name);
      database.run('INSERT OR REPLACE INTO imported VALUES (?, ?, ?)', name, identityOf(path), lines);
    }
  });
  for (const name of found) {
    const path = join(dataDir, name);
    if (unreadable.has(name)) renameSync(path, `${path}.unreadable`);
    else rmSync(path);
  }
}

/** Returns how many whole lines could not be read. An incomplete last line was never confirmed to a client. */
function importFile(database: Database, path: string, take: (typeof FILES)[string]): number {
  const bytes = readFileSync(path);
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1).toString('utf8');
  let unreadable = 0;
  for (const line of whole.split('\n')) {
    if (line === '') continue;
    try {
      const row: unknown = JSON.parse(line);
      if (!isObject(row)) throw new TypeError('no record');
      take(database, row);
    } catch (error) {
      if (error instanceof DataProblem) throw error;
      unreadable += 1;
    }
  }
  return unreadable;
}

function importAccount(database: Database, row: JsonObject): void {
  if (row.kind === 'run') chargeRun(database, row as unknown as RunRecord);
  else setWallet(database, Number(row.micros), Number(row.at));
}

function importVector(database: Database, { model, scope, facts, at, vector }: JsonObject): void {
  const bytes = Buffer.from(String(vector), 'base64');
  const item = facts as { id: string };
  if (typeof item.id !== 'string' || bytes.length === 0 || bytes.length % 4 > 0)
    throw new TypeError('no vector');
  putVector(database, { model: String(model), scope: String(scope) }, { facts: item, bytes, at: Number(at) });
}

/** Of a file that was imported, and not removed then. */
function unreadableLines(database: Database, name: string, path: string): number | undefined {
  const sql = 'SELECT unreadable FROM imported WHERE file = ? AND identity = ?';
  const row = database.get(sql, name, identityOf(path));
  return row && Number(row.unreadable);
}

function identityOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}
