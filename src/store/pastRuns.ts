import type { PastRun } from '../domain/runRecord';
import type { Database, Row } from './database';
import { costInRow, number, oneOf, optional } from './rows';

/** More than an estimate uses: some have no cost, or other numbers of media. */
const MOST = 200;

const readState = oneOf(['finished', 'accepted'] as const);

/** The facts that an estimate reads: the last runs of a model that got a response, or of one of its modes. */
export function pastRuns(
  database: Database,
  table: 'run' | 'job_run',
  baseUrl: string,
  model: string,
  mode?: string,
): PastRun[] {
  const items = { run: 'json_array_length(attachments)', job_run: 'items' }[table];
  return database.all(
    `SELECT started_at, sent_at, finished_at, state, cost, currency, ${items} AS items
     FROM ${table} WHERE base_url = ? AND model = ? ${mode === undefined ? '' : 'AND mode = ?'}
     AND state IN ('finished', 'accepted') ORDER BY started_at DESC LIMIT ${MOST}`,
    pastRunOf,
    ...[baseUrl, model],
    ...(mode === undefined ? [] : [mode]),
  );
}

function pastRunOf(row: Row): PastRun {
  return {
    startedAt: number(row, 'started_at'),
    ...optional(row, 'sent_at', number, 'sentAt'),
    ...optional(row, 'finished_at', number, 'finishedAt'),
    state: readState(row, 'state'),
    ...optional(row, 'cost', costInRow),
    items: number(row, 'items'),
  };
}
