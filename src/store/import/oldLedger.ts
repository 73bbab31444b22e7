import { type Dataset, datasetKey } from '../../domain/dataset';
import type { Database } from '../database';
import type { Item } from '../items';
import { recordItems } from '../recordItems';
import { readOldLines } from './oldLines';

type Entry = Item | (Dataset & { readonly kind: 'added' | 'forgotten'; readonly at: number });

/** Items of `ledger.jsonl`: of several lines of one item the last counts. Inside a change. */
export function importLedger(database: Database, file: string): { unreadable: number } {
  // What was forgotten before the end of the file need not be written first.
  const forgottenAt = new Map<string, number>();
  let line = 0;
  readOldLines(file, (value) => {
    line++;
    const entry = entryOf(value);
    if (entry && 'kind' in entry && entry.kind === 'forgotten') forgottenAt.set(datasetKey(entry), line);
    return true;
  });
  let batch: Item[] = [];
  let at = 0;
  const flush = () => {
    recordItems(database, batch);
    batch = [];
  };
  const read = readOldLines(file, (value) => {
    at++;
    const entry = entryOf(value);
    if (!entry) return false;
    if (at <= (forgottenAt.get(datasetKey(entry)) ?? 0)) return true;
    if ('kind' in entry) addDataset(database, entry);
    else if (batch.push(entry) >= 1_000) flush();
    return true;
  });
  flush();
  return read;
}

function addDataset(
  database: Database,
  { baseUrl, model, scope, at }: Dataset & { readonly at: number },
): void {
  database.run(
    'INSERT OR IGNORE INTO dataset (base_url, model, scope, last_at) VALUES (?, ?, ?, ?)',
    ...[baseUrl, model, scope, Math.round(at)],
  );
}

/** By hand: there may be a million lines. */
function entryOf(value: unknown): Entry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entry = value as Record<string, unknown>;
  const isText = (...names: string[]) => names.every((name) => typeof entry[name] === 'string');
  const isNumber = (...names: string[]) => names.every((name) => typeof entry[name] === 'number');
  if (!isText('baseUrl', 'model', 'scope') || !isNumber('at')) return undefined;
  if (entry.kind === 'added' || entry.kind === 'forgotten') return value as Entry;
  const isItem =
    entry.kind === undefined &&
    isText('imageId', 'file', 'sha256') &&
    isNumber('sizeBytes', 'modifiedMs') &&
    ['indexed', 'failed', 'unknown'].includes(entry.outcome as string);
  return isItem ? (value as Entry) : undefined;
}
