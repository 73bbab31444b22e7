import { randomBytes } from 'node:crypto';
import type { RunRecord } from '../billing/accounts';
import { asMoney } from '../billing/money';
import { badField, HttpError } from '../http/errors';
import type { JsonResponse } from '../http/jsonResponse';
import { isObject, type JsonObject } from '../json';
import type { Media } from '../media/media';
import type { MediaStore } from '../media/mediaStore';
import type { Service } from '../service';
import { type CheckedRun, checkRequest } from './checkRequest';

/** POST /api/runs: validates, charges, executes and responds. */
export async function startRun(body: JsonObject, service: Service): Promise<JsonResponse> {
  const { accounts, baseUrl, jobs } = service;
  const run = checkRequest(body);
  const settle = accounts.reserve(run.cost);
  const runId = `run_${randomBytes(10).toString('hex')}`;
  const work = () => execute(run, runId, settle, service);
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

async function execute(
  run: CheckedRun,
  runId: string,
  settle: (record?: RunRecord) => void,
  { counters, media, now, stopping, vectors }: Service,
) {
  const { model, modeName: mode, scope, input, params, ids, units } = run;
  const startedAt = now();
  const facts = { run_id: runId, model: model.slug, mode, ...(scope !== undefined && { scope }) };
  const finish = (outcome: Pick<RunRecord, 'status' | 'micros' | 'ids'>): RunRecord => {
    const times = { at: now(), duration_ms: now() - startedAt };
    const record: RunRecord = { kind: 'run', ...facts, items: units, ...outcome, ...times };
    settle(record);
    counters.executed(record);
    return record;
  };
  let output: unknown;
  try {
    output = await counters.whileRunning(async () =>
      run.mode.run({
        input,
        params,
        signal: stopping.signal,
        media: (value, path) => findMedia(media, value, path),
        vectors: vectors.dataset(model.slug, scope ?? ''),
      }),
    );
  } catch (error) {
    // A rejected run leaves no record. One that failed upstream is in the activity, and is free.
    if (error instanceof HttpError && error.status < 500) settle();
    else finish({ status: 'failed', micros: 0 });
    throw error;
  }
  const { at, duration_ms, micros } = finish({ status: 'succeeded', micros: run.cost, ...(ids && { ids }) });
  return {
    ...facts,
    version: model.version,
    status: 'succeeded',
    output,
    billing: { ...asMoney(micros), unit: run.mode.price.unit, units },
    timing: {
      started_at: new Date(startedAt).toISOString(),
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
