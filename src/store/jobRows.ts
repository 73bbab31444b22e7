import * as z from 'zod/mini';
import type { Dataset } from '../domain/dataset';
import { json as jsonValue } from '../domain/json';
import type { Money } from '../domain/money';
import type { Database, Row } from './database';
import type { Item } from './items';
import { json, number, oneOf, optional, text } from './rows';

/** What a job is. */
export interface JobHead extends Dataset {
  readonly id: string;
  readonly environment: string;
  readonly modelName: string;
  readonly mode: string;
  readonly params: Readonly<Record<string, z.output<typeof jsonValue>>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface PlannedItem {
  readonly uri: string;
  readonly imageId: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly sha256?: string;
}

const states = ['planned', 'uploaded', 'inFlight', 'indexed', 'failed', 'unknown', 'skipped'] as const;
export type JobItemState = (typeof states)[number];

export interface JobItem extends PlannedItem {
  /** Its place in the plan. */
  readonly index: number;
  readonly state: JobItemState;
  readonly mediaRef?: string;
  readonly reason?: string;
  /** Milliseconds since the epoch, of its outcome. */
  readonly at?: number;
}

/** The dataset's item for an item of a job that has an outcome. */
export function itemOfJob({ baseUrl, model, scope }: Dataset, item: JobItem): Item {
  const { imageId, uri, sha256 = '', sizeBytes, modifiedMs, mediaRef, at = Date.now(), state, reason } = item;
  const outcome = state === 'indexed' || state === 'failed' ? state : 'unknown';
  return {
    ...{ baseUrl, model, scope, imageId, file: uri, sha256, sizeBytes, modifiedMs, at, outcome },
    ...(mediaRef !== undefined && { mediaRef }),
    ...(reason !== undefined && { reason }),
  };
}

export function insertJob(database: Database, head: JobHead, nextRequest = 0): void {
  database.run(
    `INSERT INTO job (id, environment, base_url, model, model_name, scope, mode, params, at, next_request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[head.id, head.environment, head.baseUrl, head.model, head.modelName, head.scope, head.mode],
    JSON.stringify(head.params),
    head.at,
    nextRequest,
  );
}

export function insertJobItem(database: Database, job: string, item: JobItem): void {
  database.run(
    `INSERT INTO job_item (job, n, uri, image_id, filename, content_type, size_bytes, modified_ms, sha256, media_ref,
       state, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[
      job,
      item.index,
      item.uri,
      item.imageId,
      item.filename,
      item.contentType,
      item.sizeBytes,
      item.modifiedMs,
    ],
    ...[item.sha256 ?? null, item.mediaRef ?? null, item.state, item.reason ?? null, item.at ?? null],
  );
}

export const stateOf = oneOf(states);
const paramsOf = json(z.record(z.string(), jsonValue));

export function headOf(row: Row): JobHead {
  return {
    id: text(row, 'id'),
    environment: text(row, 'environment'),
    baseUrl: text(row, 'base_url'),
    model: text(row, 'model'),
    modelName: text(row, 'model_name'),
    scope: text(row, 'scope'),
    mode: text(row, 'mode'),
    params: paramsOf(row, 'params'),
    at: number(row, 'at'),
  };
}

export function jobItemOf(row: Row): JobItem {
  return {
    index: number(row, 'n'),
    uri: text(row, 'uri'),
    imageId: text(row, 'image_id'),
    filename: text(row, 'filename'),
    contentType: text(row, 'content_type'),
    sizeBytes: number(row, 'size_bytes'),
    modifiedMs: number(row, 'modified_ms'),
    ...optional(row, 'sha256', text),
    ...(row.media_ref !== null && { mediaRef: text(row, 'media_ref') }),
    state: stateOf(row, 'state'),
    ...optional(row, 'reason', text),
    ...optional(row, 'at', number),
  };
}

export function costOf(row: Row): Money {
  return { amount: text(row, 'cost'), ...optional(row, 'currency', text) };
}
