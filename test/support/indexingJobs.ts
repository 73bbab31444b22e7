// What a window has around its indexing jobs, without VS Code: a real client, real files, the product's own ports.
import { createReadStream, readdirSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ModelContract } from '../../src/domain/model';
import type { IndexFile } from '../../src/indexing/indexFile';
import {
  interruptedIndexingJobs,
  planIndexingJob,
  reopenIndexingJob,
  shapeOf,
} from '../../src/indexing/indexingJobs';
import { indexPorts, type JobFiles } from '../../src/indexing/indexPorts';
import type { IndexPorts } from '../../src/indexing/indexWork';
import { type Ledger, openLedger } from '../../src/indexing/ledger';
import { planIndexing } from '../../src/indexing/plan';
import { Guard, type Limits } from '../../src/runs/budget/guard';
import { Estimates } from '../../src/runs/estimates/estimates';
import { type History, openHistory } from '../../src/runs/history/history';
import { type JobRuns, openJobRuns } from '../../src/runs/history/jobRuns';
import { createRuns, type Runs } from '../../src/runs/perform';
import { MediaCache, openMediaCache } from '../../src/runs/uploads/mediaCache';
import type { ServiceClient } from '../../src/service/client';
import { createServiceClient } from '../../src/service/createClient';

export const MODEL = 'image-similarity';

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface SetupOptions {
  readonly concurrency?: number;
  readonly batchSize?: number;
  /** As a window does it; missing: every job uploads all of its files. */
  readonly remembersUploads?: boolean;
  readonly limits?: () => Limits;
}

export interface Setup {
  readonly client: ServiceClient;
  readonly contract: ModelContract;
  readonly ledger: Ledger;
  readonly storage: string;
  readonly scope: string;
  readonly ports: IndexPorts;
  readonly guard: Guard;
  readonly estimates: Estimates;
  readonly history: History;
  readonly jobRuns: JobRuns;
  close(): Promise<void>;
}

class NoUploads extends MediaCache {
  override find = async () => undefined;
}

export async function setUp(
  { baseUrl, apiKey }: Service,
  storage: string,
  scope: string,
  options: SetupOptions = {},
): Promise<Setup> {
  const quiet = () => undefined;
  const client = createServiceClient({
    environment: 'test',
    baseUrl,
    apiKey: async () => apiKey,
    network: {},
    log: { debug: quiet, info: quiet, warn: quiet },
  });
  const contract = await client.getModel(MODEL);
  const ledger = await openLedger(join(storage, 'ledger.jsonl'));
  const history = await openHistory(join(storage, 'history'), { limit: () => 200, log: quiet });
  const jobRuns = await openJobRuns(join(storage, 'job-runs.jsonl'), quiet);
  const estimates = new Estimates([history, jobRuns], 'en');
  const guard = new Guard({
    limits: options.limits ?? (() => ({ confirmRuns: 20 })),
    estimates,
    storage: { read: () => undefined, write: () => {} },
    locale: 'en',
  });
  const cache = options.remembersUploads
    ? await openMediaCache(join(storage, 'uploads.jsonl'))
    : new NoUploads({ records: [], append: async () => {}, refresh: async () => [] });
  const runs = createRuns({ client: async () => client, history, guard, jobRuns, cache });
  return {
    ...{ client, contract, ledger, storage, scope, guard, estimates, history, jobRuns },
    ports: portsOf(client, runs, options),
    async close() {
      client.close();
      await Promise.all([ledger.close(), history.close(), jobRuns.close()]);
    },
  };
}

function portsOf(client: ServiceClient, runs: Runs, options: SetupOptions): IndexPorts {
  return indexPorts({
    baseUrl: client.baseUrl,
    carries: 'media',
    files: diskFiles,
    runs,
    client: async () => client,
    concurrency: () => options.concurrency ?? 8,
    batchSize: () => options.batchSize ?? 16,
  });
}

const diskFiles: JobFiles = {
  async facts(uri) {
    const { size, mtimeMs } = await fs.stat(new URL(uri));
    return { sizeBytes: size, modifiedMs: Math.round(mtimeMs) };
  },
  open: (uri) => createReadStream(new URL(uri)),
  async uploadSource(uri) {
    const path = fileURLToPath(uri);
    return {
      ...{ filename: path.slice(path.lastIndexOf('/') + 1), contentType: 'image/png', mediaType: 'image' },
      sizeBytes: (await fs.stat(path)).size,
      open: () => createReadStream(path),
    };
  },
};

export function filesIn(folder: string): IndexFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(path);
      return {
        uri: pathToFileURL(path).href,
        imageId: path.slice(folder.length + 1),
        filename: entry.name,
        contentType: 'image/png',
        sizeBytes: size,
        modifiedMs: Math.round(mtimeMs),
        open: () => createReadStream(path),
      };
    });
}

function headOf({ client, contract, scope }: Setup) {
  const { baseUrl, environment } = client;
  const model = { model: contract.slug, modelName: contract.name, mode: 'index' };
  return { environment, baseUrl, ...model, scope, params: {} };
}

export async function planFolder(setup: Setup, folder: string) {
  return planIndexing(headOf(setup), filesIn(folder), [], setup.ledger);
}

/** Plans what is new or changed in a folder, at most `limit` files, and makes a job of it, not started. */
export async function jobFor(setup: Setup, folder: string, limit = Number.POSITIVE_INFINITY) {
  const { added, changed } = await planFolder(setup, folder);
  const files = [...added, ...changed].slice(0, limit);
  return planIndexingJob(placeOf(setup), headOf(setup), files, shapeFor(setup), setup.ports);
}

/** The interrupted job in the folder, opened again, not started. */
export async function resumedJob(setup: Setup) {
  const [first] = (await interruptedIndexingJobs(placeOf(setup).folder)).interrupted;
  return first && reopenIndexingJob(placeOf(setup), first, shapeFor(setup), setup.ports);
}

export function placeOf({ storage, ledger }: Setup) {
  return { folder: join(storage, 'jobs'), ledger };
}

function shapeFor({ contract }: Setup) {
  const shape = shapeOf(contract, 'index');
  if (!shape) throw new Error('the model takes no files');
  return shape;
}
