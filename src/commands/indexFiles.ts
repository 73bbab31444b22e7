import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { limitText } from '../domain/amounts';
import { type Dataset, datasetKey } from '../domain/dataset';
import type { Money } from '../domain/money';
import { replaceFile } from '../experiments/files/door';
import { isInShard, type Shard } from '../experiments/plan/runId';
import { acceptedIndexRuns } from '../indexing/acceptedRuns';
import { type FilePlace, folderFiles } from '../indexing/folderFiles';
import type { IndexFile, PlannedFile } from '../indexing/indexFile';
import { planIndexingJob } from '../indexing/indexingJobs';
import { indexJobs } from '../indexing/indexJobs';
import { indexPorts, type JobFiles } from '../indexing/indexPorts';
import { otherTypeText, planIndexing, readingProblem, type UnreadableFile } from '../indexing/plan';
import { progressText } from '../indexing/progressText';
import { isOfOtherKind, type VectorMode } from '../indexing/vectorMode';
import { contentTypeOf } from '../intake/contentType';
import { pathId, placedId } from '../intake/imageIds';
import { skippedText } from '../intake/walk';
import { discardJob, interruptedJobs } from '../jobs/openJob';
import { expectedCost, expectedCostText } from '../runFiles/expectedCost';
import { isInside } from '../runFiles/paths';
import type { ServiceClient } from '../service/client';
import { fileBytes } from '../service/fileBytes';
import type { IndexedFileState } from '../store/items';
import { acceptedRuns, ofService } from './acceptedRuns';
import { checkedUpload } from './checkedUpload';
import { followJob } from './followJob';
import { vectorModeOf } from './ready';
import type { Show } from './show';
import type { PaidState } from './state';
import { UsageError } from './usageError';

export interface IndexOrder {
  /** Folder that IDs of files are relative to. */
  readonly folder: string;
  readonly paths: readonly string[];
  readonly scope: string;
  readonly model: string;
  /** A canonical decimal amount: the highest cost of this call, which is shown. */
  readonly maxCost?: Money | undefined;
  readonly shard?: Shard | undefined;
  /** File for the outcomes. */
  readonly results?: string | undefined;
  readonly retryFailed: boolean;
  /** Repeat runs that may have been charged before. */
  readonly retryUnconfirmed?: boolean;
}

/** How many of the files of a call have which outcome. */
export interface IndexedFiles {
  readonly scope: string;
  readonly files: number;
  readonly indexed: number;
  readonly failed: number;
  /** They may have been charged. */
  readonly unconfirmed: number;
  /** Without an outcome: the call was stopped, or its budget is used up. */
  readonly left: number;
  readonly unreadable: number;
  /** Why files failed, each once. */
  readonly reasons: readonly string[];
}

/** Most requests at once, and files in one; the service's limits are kept below this. */
const CONCURRENCY = 8;
const BATCH = 16;
const LOOK_EVERY_MS = 200;

/**
 * Indexes files and folders into a scope, each file once: a file that is indexed and unchanged is not sent again, and
 * an unconfirmed one only with `--retry-unconfirmed`. Killed at any point, the next call continues.
 * @param open opens the state that outlives the call
 * @param show the files that cannot be read, the expected cost, and the progress
 */
export async function indexFiles(
  asked: IndexOrder,
  client: ServiceClient,
  open: () => Promise<PaidState>,
  show: Show,
  signal: AbortSignal,
): Promise<IndexedFiles> {
  const mode = await vectorModeOf(asked.model, 'index', client, show.warn);
  const { files: fresh, unreadable, otherType } = await findFiles(asked, mode, signal);
  if (otherType > 0) show.warn(`${otherTypeText(otherType)}.`);
  if (fresh.length + unreadable.length === 0)
    throw new UsageError(l10n.t('No files for {0} were found.', asked.model));
  const files = fresh.filter(({ imageId }) => !asked.shard || isInShard(idHash(imageId), asked.shard));
  const dataset = { baseUrl: client.baseUrl, model: mode.contract.slug, scope: asked.scope };
  const state = await open();
  try {
    const accepted = acceptedRuns(
      acceptedIndexRuns(state.store, ofService(client)),
      ...([datasetKey(dataset), show, signal] as const),
    );
    await accepted.ask();
    await endInterrupted(state, dataset, show, signal);
    await accepted.ask();
    const plan = await planIndexing(dataset, files, unreadable, state.store.datasets, { signal });
    const wanted = [
      ...[...plan.added, ...plan.changed],
      ...(asked.retryFailed ? plan.failedBefore : []),
      ...(asked.retryUnconfirmed ? plan.unknown : []),
    ];
    for (const { uri, reason } of plan.unreadable) show.warn(`${fileURLToPath(uri)}: ${reason}`);
    if (wanted.length > 0) await runJob({ state, dataset, mode, files: wanted }, asked, client, show, signal);
    await accepted.wait();
    const ids = [wanted, plan.unchanged, plan.failedBefore, plan.unknown].flat();
    return await outcomesOf(state, dataset, ids, plan.unreadable.length, asked);
  } finally {
    await state.close();
  }
}

/** The same on every machine: shards are cut by it. */
function idHash(imageId: string): string {
  return createHash('sha256').update(imageId).digest('hex');
}

interface Found {
  readonly files: readonly IndexFile[];
  readonly unreadable: readonly UnreadableFile[];
  /** Files in the folders of other types than the model takes. */
  readonly otherType: number;
}

/** @throws UsageError where a path leads nowhere, before anything is sent */
async function findFiles(
  { paths, folder }: Pick<IndexOrder, 'paths' | 'folder'>,
  { shape }: VectorMode,
  signal: AbortSignal,
): Promise<Found> {
  const files = new Map<string, IndexFile>();
  const unreadable: UnreadableFile[] = [];
  let otherType = 0;
  for (const name of paths) {
    const path = resolve(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (!facts) throw new UsageError(l10n.t('There is no file “{0}”.', name));
    if (facts.isDirectory()) {
      const walked = await folderFiles(path, {
        root: isInside(path, folder) ? folder : path,
        excluded: [],
        respectGitignore: true,
        accept: shape.accept,
        filePlace: (file) => filePlace(file, folder),
        open: fileBytes,
        signal,
      });
      for (const file of walked.files) files.set(file.uri, file);
      otherType += walked.unwanted;
      const problems = walked.problems.map(({ path, error }) => ({ path, reason: readingProblem(error) }));
      const skipped = walked.skipped.map((one) => ({ path: one.path, reason: skippedText(one) }));
      for (const { path, reason } of [...problems, ...skipped])
        unreadable.push({ uri: pathToFileURL(path).href, reason });
      continue;
    }
    const filename = basename(path);
    const contentType = contentTypeOf(filename);
    const place = filePlace(path, folder);
    if (!facts.isFile() || isOfOtherKind({ contentType, filename }, shape)) {
      const reason = l10n.t('The model does not accept files of this type ({0}).', contentType);
      unreadable.push({ uri: place.uri, reason });
      continue;
    }
    const modifiedMs = Math.round(facts.mtimeMs);
    const open = () => fileBytes(path);
    files.set(place.uri, { ...place, filename, contentType, sizeBytes: facts.size, modifiedMs, open });
  }
  return { files: [...files.values()], unreadable, otherType };
}

/** A file's ID is its path below the folder, like the path below the workspace folder in VS Code. */
function filePlace(path: string, folder: string): FilePlace {
  const uri = pathToFileURL(path).href;
  const imageId = isInside(path, folder) ? pathId(relative(folder, path)) : placedId(basename(path), uri);
  return { uri, imageId };
}

/**
 * Ends the remains of a killed call: its requests without a response become unconfirmed, and the rest is planned
 * again. Waits for another process that works on the scope.
 */
async function endInterrupted(
  { store }: PaidState,
  dataset: Dataset,
  show: Show,
  signal: AbortSignal,
): Promise<void> {
  const jobs = indexJobs(store);
  const isOfDataset = (head: Dataset) =>
    head.baseUrl === dataset.baseUrl && head.model === dataset.model && head.scope === dataset.scope;
  while (jobs.list().some(isOfDataset)) {
    signal.throwIfAborted();
    for (const { head } of interruptedJobs(jobs).interrupted)
      if (isOfDataset(head)) await discardJob(jobs, head);
    if (!jobs.list().some(isOfDataset)) return;
    show.progress(l10n.t('Waiting for another process that indexes into {0}…', dataset.scope));
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

interface Order {
  readonly state: PaidState;
  readonly dataset: Dataset;
  readonly mode: VectorMode;
  readonly files: readonly PlannedFile[];
}

async function runJob(
  { state, dataset, mode: { contract, mode, shape }, files }: Order,
  { maxCost }: IndexOrder,
  client: ServiceClient,
  show: Show,
  signal: AbortSignal,
): Promise<void> {
  const price = mode.price ?? contract.price;
  const batch = shape.list ? Math.max(1, Math.min(BATCH, shape.maxItems)) : 1;
  const sizes = Array.from({ length: Math.ceil(files.length / batch) }, (_, at) =>
    Math.min(batch, files.length - at * batch),
  );
  const { baseUrl, model, scope } = dataset;
  const cost = expectedCost(
    sizes.map((items) => state.estimates.of({ baseUrl, model, mode: mode.name, price, items })),
  );
  const expected = expectedCostText(cost, 'en');
  show.print(
    maxCost === undefined
      ? l10n.t('{0} files, {1}.', files.length, expected)
      : l10n.t('{0} files, {1}; --max-cost is {2}.', files.length, expected, limitText(maxCost)),
  );
  const paid = await state.pay(cost);
  const environment = { name: client.environment, baseUrl };
  const ports = indexPorts({
    environment,
    carries: shape.carries,
    files: diskFiles,
    ...paid,
    price,
    client: async () => client,
    concurrency: () => CONCURRENCY,
    batchSize: () => BATCH,
    timeoutMs: () => 0,
  });
  const head = { environment: environment.name, baseUrl, model, modelName: contract.name };
  const job = await planIndexingJob(
    indexJobs(state.store),
    { ...head, scope, mode: mode.name, params: {}, ...(paid.agent && { agent: paid.agent.mark }) },
    files,
    shape,
    ports,
  );
  await paid.agent?.noteWork(job.head.id);
  const stopShowing = followJob(job, (progress) => progressText(progress, 'en'), show, signal);
  job.start();
  await job.done.finally(stopShowing);
}

const diskFiles: JobFiles = {
  async facts(uri) {
    const facts = await stat(fileURLToPath(uri)).catch(() => undefined);
    return facts && { sizeBytes: facts.size, modifiedMs: Math.round(facts.mtimeMs) };
  },
  open: (uri) => fileBytes(fileURLToPath(uri)),
  async uploadSource(uri) {
    const path = fileURLToPath(uri);
    return checkedUpload({ path, filename: basename(path), sizeBytes: (await stat(path)).size });
  },
};

const STATES: Readonly<Record<IndexedFileState, string>> = {
  indexed: 'finished',
  failed: 'failed',
  unknown: 'unconfirmed',
};
const MOST_REASONS = 3;

/** The outcome of each file; written down where the call names a file for them. */
async function outcomesOf(
  { store }: PaidState,
  dataset: Dataset,
  files: readonly Pick<PlannedFile, 'imageId'>[],
  unreadable: number,
  { results }: IndexOrder,
): Promise<IndexedFiles> {
  const ids = [...new Set(files.map(({ imageId }) => imageId))];
  const items = ids.flatMap((imageId) => store.datasets.find(dataset, imageId) ?? []);
  const count = (outcome: IndexedFileState) => items.filter((item) => item.outcome === outcome).length;
  if (results !== undefined) {
    const lines = items.map(({ imageId, sha256, at, outcome, reason }) => ({
      custom_id: imageId,
      item: imageId,
      state: STATES[outcome],
      item_sha256: sha256,
      reason,
      model: dataset.model,
      scope: dataset.scope,
      started_at: new Date(at).toISOString(),
    }));
    await replaceFile(resolve(results), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  const failed = items.filter(({ outcome }) => outcome === 'failed');
  return {
    scope: dataset.scope,
    files: ids.length,
    indexed: count('indexed'),
    failed: failed.length,
    unconfirmed: count('unknown'),
    left: ids.length - items.length,
    unreadable,
    reasons: [...new Set(failed.flatMap(({ reason }) => reason ?? []))],
  };
}

/** The outcomes in lines; the notes say why files failed, and what to do next. */
export function indexedLines({ scope, files, ...counts }: IndexedFiles): {
  readonly outcomes: readonly string[];
  readonly notes: readonly string[];
} {
  const { indexed, failed, unconfirmed, left, reasons } = counts;
  const sums = [
    [failed, l10n.t('{0} failed.', failed)],
    [
      unconfirmed,
      l10n.t(
        '{0} unconfirmed: they may have been charged. --retry-unconfirmed sends them again.',
        unconfirmed,
      ),
    ],
    [left, l10n.t('{0} not indexed. Start again to continue.', left)],
  ] as const;
  const [ofFailed, ...others] = sums.map(([count, text]) => (count > 0 ? [text] : []));
  return {
    outcomes: [l10n.t('{0} of {1} files are indexed in {2}.', indexed, files, scope), ...(ofFailed ?? [])],
    notes: [...reasons.slice(0, MOST_REASONS).map((reason) => `  ${reason}`), ...others.flat()],
  };
}
