import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Database } from '../database';
import { topics, touch } from '../revisions';
import { number } from '../rows';
import { importHistory, importJobRuns, importUploads } from './oldHistory';
import { importJob, isWorkedOn } from './oldJobs';
import { importLedger } from './oldLedger';

export interface Imported {
  /** Files that were taken over and are gone. */
  readonly files: number;
  /** Files of which some lines could not be read: they stay beside the store, under these names. */
  readonly kept: readonly string[];
}

/** Where version 0.1.0 kept its files, and where the store keeps its own. */
export interface ImportPlaces {
  /** The extension's global storage. */
  readonly folder: string;
  readonly results: string;
  /** Why what was sent without a response is unknown. */
  readonly closedReason: string;
}

interface OldFile {
  readonly file: string;
  readonly identity: string;
  readonly read: (database: Database) => { unreadable: number };
}

/** Whether there are files of version 0.1.0, without a look into them. */
export function hasOldFiles(folder: string): boolean {
  const files = ['ledger.jsonl', 'uploads.jsonl', 'history/runs.jsonl', 'history/job-runs.jsonl'];
  return files.some((name) => existsSync(join(folder, name))) || jobFilesOf(folder).length > 0;
}

/**
 * Takes over the files of version 0.1.0 in one change, and removes them after it. Killed before its end, nothing has
 * happened; killed after it, the next start removes the files, as it finds what it has imported. Synchronous work of
 * seconds: for a thread of its own.
 */
export async function importOldFiles(database: Database, places: ImportPlaces): Promise<Imported> {
  const found = oldFiles(places);
  const unreadable = await database.write('durable', () => {
    const kept = new Set<string>();
    for (const { file, identity, read } of found) {
      const name = relative(places.folder, file);
      const known = database.get(
        'SELECT unreadable FROM imported WHERE file = ? AND identity = ?',
        (row) => number(row, 'unreadable'),
        ...[name, identity],
      );
      // Another window may have imported and removed it since we looked.
      if (known === undefined && identityOf(file) !== identity) continue;
      const unreadable = known ?? read(database).unreadable;
      if (unreadable > 0) kept.add(file);
      database.run('INSERT OR REPLACE INTO imported VALUES (?, ?, ?)', name, identity, unreadable);
    }
    for (const topic of topics) touch(database, topic);
    return kept;
  });
  const kept = found.map(({ file, identity }) => settle(file, identity, unreadable.has(file)));
  removeLeftovers(places.folder);
  return { files: found.length, kept: kept.flatMap((name) => name ?? []) };
}

/** Removes a file that was imported; one that was written to meanwhile, by a window of 0.1.0, waits for the next start. */
function settle(file: string, identity: string, unreadable: boolean): string | undefined {
  if (identityOf(file) !== identity) return undefined;
  if (!unreadable) {
    rmSync(file, { force: true });
    return undefined;
  }
  const name = `${file}.unreadable`;
  try {
    renameSync(file, name);
  } catch (error) {
    // Another window has just done so.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return name;
}

/** The copies of responses and the locks, unless a file is left for later that needs them. */
function removeLeftovers(folder: string): void {
  const isOver = !['history/runs.jsonl', 'ledger.jsonl'].some((name) => existsSync(join(folder, name)));
  if (!isOver || jobFilesOf(folder).length > 0) return;
  for (const name of ['history/results', 'history/sessions', 'jobs/locks'])
    rmSync(join(folder, name), { recursive: true, force: true });
}

function oldFiles({ folder, results, closedReason }: ImportPlaces): OldFile[] {
  const history = join(folder, 'history');
  const files: [string, (database: Database, file: string) => { unreadable: number }][] = [
    [join(folder, 'ledger.jsonl'), importLedger],
    [join(history, 'runs.jsonl'), (database) => importHistory(database, history, results)],
    [join(history, 'job-runs.jsonl'), importJobRuns],
    [join(folder, 'uploads.jsonl'), importUploads],
  ];
  for (const file of jobFilesOf(folder))
    if (!isWorkedOn(join(folder, 'jobs'), file))
      files.push([file, (database) => importJob(database, file, closedReason)]);
  return files.flatMap(([file, read]) => {
    const identity = identityOf(file);
    return identity === undefined
      ? []
      : { file, identity, read: (database: Database) => read(database, file) };
  });
}

function jobFilesOf(folder: string): string[] {
  const jobs = join(folder, 'jobs');
  if (!existsSync(jobs)) return [];
  return readdirSync(jobs)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(jobs, name));
}

/** Undefined: there is no such file, or no more. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.size} ${found.mtimeMs}`;
}
