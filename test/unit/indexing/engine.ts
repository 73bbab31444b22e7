// What the feature does around the engine, without VS Code: a real client, real files, a ledger in a folder.
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModelContract } from '../../../src/domain/model';
import { hashFile, type IndexFile } from '../../../src/indexing/indexFile';
import type { Ledger } from '../../../src/indexing/ledger';
import { openLedger } from '../../../src/indexing/openLedger';
import { planIndexing } from '../../../src/indexing/plan';
import type { PlannedItem } from '../../../src/jobs/jobJournal';
import type { JobPorts } from '../../../src/jobs/jobParts';
import { leftJobs, planJob, reopenJob, shapeOf } from '../../../src/jobs/openJob';
import { runUnlessGivenUp } from '../../../src/runs/jobRun';
import type { ServiceClient } from '../../../src/service/client';
import { createServiceClient } from '../../../src/service/createClient';

export const MODEL = 'image-similarity';

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export function clientOf(service: Service): ServiceClient {
  const quiet = () => undefined;
  return createServiceClient({
    environment: 'test',
    baseUrl: service.baseUrl,
    apiKey: async () => service.apiKey,
    network: {},
    log: { debug: quiet, info: quiet, warn: quiet },
  });
}

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

export function portsOf(
  client: ServiceClient,
  options: { concurrency?: number; batchSize?: number } = {},
): JobPorts {
  return {
    async take(item: PlannedItem, signal) {
      const path = new URL(item.uri);
      const open = () => createReadStream(path);
      const { size, mtimeMs } = statSync(path);
      const sha256 = await hashFile({ open }, signal);
      const { filename, contentType } = item;
      const source = { filename, contentType, mediaType: 'image', sizeBytes: size, open };
      const { mediaRef } = await client.upload(source, { signal });
      return { sha256, sizeBytes: size, modifiedMs: Math.round(mtimeMs), mediaRef };
    },
    forget: async () => undefined,
    pausedUntil: () => client.rateLimit.pausedUntilMs,
    run: (request, _items, turn) => runUnlessGivenUp(client, { request, turn }),
    concurrency: () => options.concurrency ?? 8,
    batchSize: () => options.batchSize ?? 16,
  };
}

export interface Setup {
  readonly client: ServiceClient;
  readonly contract: ModelContract;
  readonly ledger: Ledger;
  readonly storage: string;
  readonly scope: string;
  readonly ports: JobPorts;
}

export async function setUp(
  service: Service,
  storage: string,
  scope: string,
  options: { concurrency?: number; batchSize?: number } = {},
): Promise<Setup> {
  const client = clientOf(service);
  const contract = await client.getModel(MODEL);
  const ledger = await openLedger(join(storage, 'ledger.jsonl'));
  return { client, contract, ledger, storage, scope, ports: portsOf(client, options) };
}

export function headOf({ client, contract, scope }: Setup) {
  const { baseUrl, environment } = client;
  return {
    environment,
    baseUrl,
    model: contract.slug,
    modelName: contract.name,
    scope,
    mode: 'index',
    params: {},
  };
}

export async function planFolder(setup: Setup, folder: string) {
  return planIndexing(headOf(setup), filesIn(folder), [], setup.ledger);
}

/** Plans what is new or changed in a folder and makes a job of it, not started. */
export async function jobFor(setup: Setup, folder: string) {
  const plan = await planFolder(setup, folder);
  const shape = shapeOf(setup.contract, 'index');
  if (!shape) throw new Error('the model takes no files');
  const place = { folder: join(setup.storage, 'jobs'), ledger: setup.ledger };
  return planJob(place, headOf(setup), [...plan.added, ...plan.changed], shape, setup.ports);
}

/** The job that was left in the folder, opened again, not started. */
export async function resumedJob(setup: Setup) {
  const folder = join(setup.storage, 'jobs');
  const { left } = await leftJobs(folder);
  const shape = shapeOf(setup.contract, 'index');
  if (!shape) throw new Error('the model takes no files');
  return left[0] && reopenJob({ folder, ledger: setup.ledger }, left[0], shape, setup.ports);
}
