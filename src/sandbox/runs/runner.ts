import { randomBytes } from 'node:crypto';
import type { LedgerRun } from '../billing/accounts';
import { asMoney } from '../billing/money';
import { badField, HttpError } from '../http/errors';
import type { JsonResponse } from '../http/jsonResponse';
import { isObject, type JsonObject } from '../json';
import type { Media } from '../media/media';
import type { MediaStore } from '../media/mediaStore';
import type { Service } from '../service';
import { DatasetWrite } from '../vectors/vectorStore';
import { type CheckedRun, checkRequest } from './checkRequest';

/** POST /api/runs: validates, charges, executes and responds. */
export async function startRun(body: JsonObject, service: Service): Promise<JsonResponse> {
  const { accounts, baseUrl, jobs } = service;
  const run = checkRequest(body);
  const release = accounts.reserve(run.cost);
  const runId = `run_${randomBytes(10).toString('hex')}`;
  const work = () => execute(run, runId, release, service);
  if (run.mode.asynchronous !== true) return { status: 200, body: await work() };

  const status_url = `${baseUrl}/api/runs/${runId}`;
  const facts = { run_id: runId, model: run.model.slug, mode: run.modeName };
  jobs.accept(runId, { ...facts, status: 'running', status_url }, work);
  return {
    status: 202,
    body: { ...facts, status: 'accepted', status_url },
    headers: { Location: status_url },
  };
}

/** Runs the model. Its writes, its charge and the outcome of its job are one transaction. */
async function execute(run: CheckedRun, runId: string, release: () => void, service: Service) {
  const { accounts, database, jobs, now } = service;
  const { model, modeName: mode, scope, units } = run;
  const startedAt = now();
  const facts = { run_id: runId, model: model.slug, mode, ...(scope !== undefined && { scope }) };
  const charge = (outcome: Pick<LedgerRun, 'status' | 'micros' | 'ids'>): LedgerRun => {
    const at = now();
    const record = { ...facts, items: units, ...outcome, at, duration_ms: at - startedAt };
    accounts.charge(record);
    return record;
  };
  try {
    const result = await modelResult(run, service);
    return database.transaction(() => {
      const output = result instanceof DatasetWrite ? result.write() : result;
      const record = charge({ status: 'succeeded', micros: run.cost, ...(run.ids && { ids: run.ids }) });
      const body = {
        ...facts,
        version: model.version,
        status: 'succeeded',
        output,
        ...receiptOf(run, record),
      };
      if (run.mode.asynchronous === true) jobs.finish(runId, body);
      return body;
    });
  } catch (error) {
    // A rejected run leaves no record. One that failed upstream is in the activity, and is free.
    const isRejected = error instanceof HttpError && error.status < 500;
    if (!isRejected && database.isOpen) charge({ status: 'failed', micros: 0 });
    throw error;
  } finally {
    release();
  }
}

async function modelResult(
  { model, mode, scope, input, params }: CheckedRun,
  service: Service,
): Promise<unknown> {
  const { media, stopping, vectors } = service;
  return mode.run({
    input,
    params,
    signal: stopping.signal,
    media: (value, path) => findMedia(media, value, path),
    vectors: vectors.dataset(model.slug, scope ?? ''),
  });
}

function receiptOf({ mode, units }: CheckedRun, { at, duration_ms, micros }: LedgerRun) {
  return {
    billing: { ...asMoney(micros), unit: mode.price.unit, units },
    timing: {
      started_at: new Date(at - duration_ms).toISOString(),
      finished_at: new Date(at).toISOString(),
      duration_ms,
    },
  };
}

function findMedia(store: MediaStore, value: unknown, path: string): Media {
  const mediaRef = isObject(value) ? value.media_ref : undefined;
  const media = typeof mediaRef === 'string' ? store.get(mediaRef) : undefined;
  if (media !== undefined) return media;
  const message = `"${String(mediaRef).slice(0, 100)}" is not a media reference of a finished upload.`;
  throw badField(`${path}/media_ref`, 'unknown_media', message);
}
