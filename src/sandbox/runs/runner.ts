import { randomBytes } from 'node:crypto';
import type { Accounts, RunRecord } from '../billing/accounts';
import { asMoney } from '../billing/money';
import { badRequest, HttpError, notFound } from '../http/errors';
import type { JsonResponse } from '../http/jsonResponse';
import { isObject, type JsonObject } from '../json';
import type { Media } from '../media/media';
import type { MediaStore } from '../media/mediaStore';
import type { Catalog } from '../models/catalog';
import type { RunContext } from '../models/model';
import type { VectorStore } from '../vectors/vectorStore';
import { type CheckedRun, checkRequest } from './checkRequest';
import type { Counters } from './counters';
import type { JobStore } from './jobStore';

/** POST /api/runs: validates, charges, executes and responds. */
export class Runner {
  constructor(
    private readonly parts: {
      readonly catalog: Catalog;
      readonly accounts: Accounts;
      readonly media: MediaStore;
      readonly vectors: VectorStore;
      readonly jobs: JobStore;
      readonly counters: Counters;
      readonly now: () => number;
      readonly signal: AbortSignal;
    },
  ) {}

  async start(body: JsonObject, baseUrl: string): Promise<JsonResponse> {
    const { accounts, catalog, jobs } = this.parts;
    const run = checkRequest(body, catalog);
    const settle = accounts.reserve(run.mode.price.micros * run.units);
    const runId = `run_${randomBytes(10).toString('hex')}`;

    if (run.mode.asynchronous !== true) {
      return { status: 200, body: await this.#execute(run, runId, settle) };
    }
    const statusUrl = `${baseUrl}/api/runs/${runId}`;
    const facts = { run_id: runId, model: run.model.slug, mode: run.modeName };
    const accepted = { ...facts, status: 'accepted', status_url: statusUrl };
    jobs.accept(runId, { ...facts, status: 'running', status_url: statusUrl }, () =>
      this.#execute(run, runId, settle),
    );
    return { status: 202, body: accepted, headers: { Location: statusUrl } };
  }

  async #execute(run: CheckedRun, runId: string, settle: (record?: RunRecord) => void) {
    const { counters, now } = this.parts;
    const startedAt = now();
    const { ids, units } = run;
    const record = (status: RunRecord['status'], micros: number): RunRecord => ({
      kind: 'run',
      run_id: runId,
      model: run.model.slug,
      mode: run.modeName,
      ...(run.scope !== undefined && { scope: run.scope }),
      status,
      micros,
      items: units,
      ...(ids && status === 'succeeded' && { ids }),
      at: now(),
      duration_ms: now() - startedAt,
    });
    let output: unknown;
    try {
      output = await counters.whileRunning(async () => run.mode.run(this.#context(run)));
    } catch (error) {
      // A rejected run leaves no record. One that failed upstream is in the activity, and is free.
      const failed = !(error instanceof HttpError) || error.status >= 500;
      const trace = failed ? record('failed', 0) : undefined;
      settle(trace);
      if (trace !== undefined) counters.executed(trace);
      throw error;
    }
    const done = record('succeeded', run.mode.price.micros * units);
    settle(done);
    counters.executed(done);
    return {
      run_id: runId,
      model: run.model.slug,
      version: run.model.version,
      mode: run.modeName,
      ...(run.scope !== undefined && { scope: run.scope }),
      status: 'succeeded',
      output,
      billing: { ...asMoney(done.micros), unit: run.mode.price.unit, units },
      timing: {
        started_at: new Date(startedAt).toISOString(),
        finished_at: new Date(done.at).toISOString(),
        duration_ms: done.duration_ms,
      },
    };
  }

  #context({ model, scope = '', input, params }: CheckedRun): RunContext {
    const { vectors, media, signal } = this.parts;
    return {
      input,
      params,
      signal,
      media: (value, path) => findMedia(media, value, path),
      vectors: {
        scope,
        add: (items) => vectors.add(model.slug, scope, items),
        count: () => vectors.count(model.slug, scope),
        search: (query, topK) => vectors.search(model.slug, scope, query, topK),
      },
    };
  }

  /** GET /api/runs/{id}: the address that an accepted run names. */
  status(runId: string): object {
    const body = this.parts.jobs.get(runId);
    if (body === undefined) throw notFound('unknown_run', 'There is no such run.');
    return body;
  }
}

function findMedia(store: MediaStore, value: unknown, path: string): Media {
  const mediaRef = isObject(value) ? value.media_ref : undefined;
  const media = typeof mediaRef === 'string' ? store.get(mediaRef) : undefined;
  if (media === undefined) {
    const message = `"${String(mediaRef).slice(0, 100)}" is not a media reference of a finished upload.`;
    throw badRequest('unknown_media', message, [{ path: `${path}/media_ref`, message }]);
  }
  return media;
}
