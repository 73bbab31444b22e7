// A window's parts around its indexing jobs, without VS Code: a real client, real files, the product's own ports.
import { createReadStream, readdirSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ModelContract } from '../../src/domain/model';
import type { IndexFile } from '../../src/indexing/indexFile';
import { planIndexingJob, reopenIndexingJob } from '../../src/indexing/indexingJobs';
import { indexJobs } from '../../src/indexing/indexJobs';
import { indexPorts, type JobFiles } from '../../src/indexing/indexPorts';
import type { IndexPorts } from '../../src/indexing/indexWork';
import { planIndexing } from '../../src/indexing/plan';
import { requiredMode } from '../../src/indexing/vectorMode';
import { interruptedJobs } from '../../src/jobs/openJob';
import { Guard, type Limits } from '../../src/runs/budget/guard';
import { WorkspaceSpending } from '../../src/runs/budget/workspaceSpending';
import { Estimates } from '../../src/runs/estimates/estimates';
import { type History, openHistory } from '../../src/runs/history/history';
import { JobRuns } from '../../src/runs/history/jobRuns';
import { createRuns, type Runs } from '../../src/runs/perform';
import type { UploadCache } from '../../src/runs/uploads/uploadFiles';
import type { ServiceClient } from '../../src/service/client';
import { createServiceClient } from '../../src/service/createClient';
import type { IndexedFile } from '../../src/store/items';
import { openStore, type Store, storeFolder } from '../../src/store/store';

export const MODEL = 'image-similarity';

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface SetupOptions {
  readonly concurrency?: number;
  readonly batchSize?: number;
  readonly timeoutMs?: number;
  /** As a window does it; missing: every job uploads all of its files. */
  readonly remembersUploads?: boolean;
  readonly limits?: () => Limits;
}

export interface Setup {
  readonly client: ServiceClient;
  readonly contract: ModelContract;
  readonly store: Store;
  readonly storage: string;
  readonly scope: string;
  readonly ports: IndexPorts;
  readonly guard: Guard;
  readonly estimates: Estimates;
  readonly history: History;
  readonly jobRuns: JobRuns;
  close(): Promise<void>;
}

const noUploads: UploadCache = {
  find: () => undefined,
  remember: async () => undefined,
  forget: async () => undefined,
};

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
  const store = await openStore(storeFolder(storage));
  const history = await openHistory(store, { limit: () => 200, log: quiet });
  const jobRuns = new JobRuns(store, quiet);
  const estimates = new Estimates([history, jobRuns], 'en');
  const guard = new Guard({
    limits: options.limits ?? (() => ({ confirmRuns: 20 })),
    estimates,
    spent: new WorkspaceSpending(store, storage, { log: quiet }),
    locale: 'en',
  });
  const cache = options.remembersUploads ? store.uploads : noUploads;
  const runs = createRuns({ client: async () => client, history, guard, jobRuns, cache });
  return {
    ...{ client, contract, store, storage, scope, guard, estimates, history, jobRuns },
    ports: portsOf(client, runs, options),
    async close() {
      client.close();
      history.close();
      jobRuns.close();
      await store.close();
    },
  };
}

function portsOf(client: ServiceClient, runs: Runs, options: SetupOptions): IndexPorts {
  return indexPorts({
    environment: { name: client.environment, baseUrl: client.baseUrl },
    carries: 'media',
    files: diskFiles,
    runs,
    client: async () => client,
    concurrency: () => options.concurrency ?? 8,
    batchSize: () => options.batchSize ?? 16,
    timeoutMs: () => options.timeoutMs ?? 0,
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
  return planIndexing(headOf(setup), filesIn(folder), [], setup.store.datasets);
}

/** Plans the new or changed files of a folder, at most `limit`, and makes a job of them, not started. */
export async function jobFor(setup: Setup, folder: string, limit = Number.POSITIVE_INFINITY) {
  const { added, changed } = await planFolder(setup, folder);
  const files = [...added, ...changed].slice(0, limit);
  return planIndexingJob(indexJobs(setup.store), headOf(setup), files, shapeFor(setup), setup.ports);
}

/** The interrupted job in the folder, opened again, not started. */
export async function resumedJob(setup: Setup) {
  const jobs = indexJobs(setup.store);
  const [first] = interruptedJobs(jobs).interrupted;
  return first && reopenIndexingJob(jobs, first, shapeFor(setup), setup.ports);
}

export async function itemsOf({ client, contract, scope, store }: Setup): Promise<IndexedFile[]> {
  const items: IndexedFile[] = [];
  const dataset = { baseUrl: client.baseUrl, model: contract.slug, scope };
  for await (const page of store.datasets.items(dataset)) items.push(...page);
  return items;
}

function shapeFor({ contract }: Setup) {
  return requiredMode(contract, 'index').shape;
}
