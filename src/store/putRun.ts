import type { RunRecord } from '../domain/runRecord';
import type { Database, Row } from './database';
import { touch } from './revisions';
import { number, text } from './rows';
import { searchedText } from './runRecord';

/** The kept copy of a response: in the row itself, or as a file of its own. */
export interface Copy {
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly keptBytes: number;
  readonly body?: Uint8Array;
  readonly file?: string;
}

/** Inside a change; returns the row of the run. */
export function putRun(database: Database, record: RunRecord, owner: string | null): number {
  const revision = touch(database, 'runs');
  const { environment, baseUrl, modelName, draft, request, attachments, state, cost } = record;
  const columns = {
    revision,
    environment,
    base_url: baseUrl,
    model: draft.model,
    mode: draft.mode,
    model_name: modelName,
    state,
    owner,
    settled_by_user: record.settledByUser === undefined ? null : Number(record.settledByUser),
    started_at: Math.round(record.startedAt),
    sent_at: rounded(record.sentAt),
    finished_at: rounded(record.finishedAt),
    run_id: record.runId ?? null,
    follow_url: record.followUrl ?? null,
    status: record.status ?? null,
    message: record.message ?? null,
    cost: cost?.amount ?? null,
    currency: cost?.currency ?? null,
    agent: record.agent ? JSON.stringify(record.agent) : null,
    draft: JSON.stringify(draft),
    request: request ? JSON.stringify(request) : null,
    attachments: JSON.stringify(attachments),
  };
  const names = Object.keys(columns);
  const known = database.get('SELECT n FROM run WHERE id = ?', (row: Row) => number(row, 'n'), record.id);
  const values = Object.values(columns);
  if (known !== undefined) {
    database.run(
      `UPDATE run SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE n = ?`,
      ...values,
      known,
    );
  }
  const n =
    known ??
    database.insert(
      `INSERT INTO run (id, ${names.join(', ')}) VALUES (?, ${names.map(() => '?').join(', ')})`,
      record.id,
      ...values,
    );
  const name = database.get(
    'SELECT name FROM run_mark WHERE run = ? AND name IS NOT NULL',
    (row) => text(row, 'name'),
    n,
  );
  indexRun(database, n, name === undefined ? record : { ...record, name });
  return n;
}

/** Inside a change: indexes the run of a row for searching. */
export function indexRun(database: Database, n: number, record: RunRecord): void {
  database.run('DELETE FROM run_text WHERE run = ?', n);
  database.run('INSERT INTO run_text VALUES (?, ?)', n, searchedText(record));
}

/** Inside a change. */
export function putResult(
  database: Database,
  run: number,
  { contentType, sizeBytes, keptBytes, body, file }: Copy,
): void {
  database.run(
    'INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?, ?)',
    run,
    contentType,
    sizeBytes,
    Number(keptBytes < sizeBytes),
    keptBytes,
    body ?? null,
    file ?? null,
  );
}

const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value));
