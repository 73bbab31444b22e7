import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { money } from '../../domain/money';
import { attachment, runDraft, runRequest, runState } from '../../domain/run';
import { type RunRecord, runSources } from '../../domain/runRecord';
import type { Database } from '../database';
import { putJobRuns } from '../jobRuns';
import { type Copy, putResult, putRun } from '../putRun';
import { INLINE_BYTES } from '../resultFiles';
import { readOldLines } from './oldLines';

const oldRun = z.object({
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string(),
  modelName: z.string(),
  source: z.enum(runSources),
  draft: runDraft,
  request: z.optional(runRequest),
  attachments: z.array(attachment),
  startedAt: z.number(),
  sentAt: z.optional(z.number()),
  finishedAt: z.optional(z.number()),
  state: runState,
  settledByUser: z.optional(z.boolean()),
  runId: z.optional(z.string()),
  status: z.optional(z.number()),
  message: z.optional(z.string()),
  cost: z.optional(money),
  result: z.optional(z.object({ contentType: z.string(), sizeBytes: z.number(), truncated: z.boolean() })),
});
const line = z.union([z.object({ deleted: z.array(z.string()) }), z.object({ run: oldRun })]);

/** Runs of `history/runs.jsonl`, with the copies of their responses. Inside a change. */
export function importHistory(database: Database, folder: string, results: string): { unreadable: number } {
  const runs = new Map<string, RunRecord>();
  const deleted = new Set<string>();
  const read = readOldLines(join(folder, 'runs.jsonl'), (value) => {
    const parsed = line.safeParse(value);
    if (!parsed.success) return false;
    if ('deleted' in parsed.data)
      for (const id of parsed.data.deleted) {
        deleted.add(id);
        runs.delete(id);
      }
    else if (!deleted.has(parsed.data.run.id)) runs.set(parsed.data.run.id, parsed.data.run);
    return true;
  });
  for (const { result, ...run } of runs.values()) {
    if (isKnown(database, run.id)) continue;
    const n = putRun(database, run, null);
    const copy = result && copyOf(join(folder, 'results', nameOf(run.id)), result, results);
    if (copy) putResult(database, n, copy);
  }
  return read;
}

/** A file that a window of 0.1.0 wrote to after its import comes a second time: what is newer here stays. */
function isKnown(database: Database, id: string): boolean {
  const known = `SELECT 1 AS yes FROM deleted_run WHERE id = ? UNION ALL
    SELECT 1 FROM run WHERE id = ? AND (settled_by_user = 1 OR state NOT IN ('running', 'unknown'))`;
  return database.get(known, () => true, id, id) ?? false;
}

/** As version 0.1.0 named the copy of a run's response. */
function nameOf(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
}

/** A large copy becomes a second name of the same file; should the change not come to its end, a sweep removes it. */
function copyOf(
  file: string,
  { contentType, sizeBytes }: NonNullable<RunRecord['result']>,
  results: string,
): Copy | undefined {
  if (!existsSync(file)) return undefined;
  const keptBytes = statSync(file).size;
  const told = { contentType, sizeBytes: Math.max(sizeBytes, keptBytes), keptBytes };
  const bytes = readFileSync(file);
  if (keptBytes <= INLINE_BYTES) return { ...told, body: bytes };
  const name = createHash('sha256').update(bytes).digest('hex');
  const target = join(results, name);
  mkdirSync(results, { recursive: true, mode: 0o700 });
  if (!existsSync(target)) {
    try {
      linkSync(file, target);
    } catch {
      copyFileSync(file, target);
    }
    chmodSync(target, 0o600);
  }
  return { ...told, file: name };
}

const oldJobRun = z.object({
  id: z.string(),
  baseUrl: z.string(),
  draft: z.object({ model: z.string(), mode: z.string() }),
  items: z.number(),
  startedAt: z.number(),
  sentAt: z.number(),
  finishedAt: z.number(),
  state: z.enum(['finished', 'accepted', 'failed']),
  runId: z.optional(z.string()),
  cost: z.optional(money),
});

/** Runs of jobs, of `history/job-runs.jsonl`. Inside a change. */
export function importJobRuns(database: Database, file: string): { unreadable: number } {
  return readOldLines(file, (value) => {
    const run = oldJobRun.safeParse(value);
    if (run.success) putJobRuns(database, [run.data]);
    return run.success;
  });
}

const oldUpload = z.object({
  baseUrl: z.string(),
  sha256: z.string(),
  mediaType: z.string(),
  /** Missing: the reference is forgotten. */
  mediaRef: z.optional(z.string()),
  at: z.number(),
});

/** References of uploads, of `uploads.jsonl`. Inside a change. */
export function importUploads(database: Database, file: string): { unreadable: number } {
  return readOldLines(file, (value) => {
    const upload = oldUpload.safeParse(value);
    if (!upload.success) return false;
    const { baseUrl, sha256, mediaType, mediaRef, at } = upload.data;
    if (mediaRef === undefined)
      database.run(
        'DELETE FROM upload WHERE base_url = ? AND sha256 = ? AND media_type = ?',
        ...[baseUrl, sha256, mediaType],
      );
    else
      database.run(
        'INSERT OR REPLACE INTO upload VALUES (?, ?, ?, ?, ?)',
        ...[baseUrl, sha256, mediaType, mediaRef, Math.round(at)],
      );
    return true;
  });
}
