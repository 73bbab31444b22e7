import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { VectorMode } from '../../indexing/vectorMode';
import type { IndexingJob } from '../../jobs/job';
import type { PlannedItem } from '../../jobs/jobJournal';
import type { JobPorts, TakenFile } from '../../jobs/jobParts';
import type { LeftJob } from '../../jobs/openJob';
import { DisposableStore } from '../../platform/disposables';
import { type FileFacts, fileFacts } from '../../platform/fileFacts';
import type { ServiceClient } from '../../service/client';
import { ServiceError } from '../../service/errors';
import type { IndexingJobs, Services } from '../../services';

/** Text that stands in a request: more than this is no text that a model reads in one piece. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;

/** The indexing jobs of this window. */
export class Jobs implements IndexingJobs, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<IndexingJob>());
  readonly #listChanged = this.#store.add(new vscode.EventEmitter<void>());
  /** A job has moved on. */
  readonly onDidProgress = this.#changed.event;
  /** A job has begun or ended. */
  readonly onDidChangeList = this.#listChanged.event;
  readonly #running = new Set<IndexingJob>();
  /** The client that the jobs of a service used last: it knows of the service's pauses. */
  readonly #clients = new Map<string, ServiceClient>();

  constructor(
    private readonly services: Pick<Services, 'context' | 'connection' | 'catalog' | 'ledger' | 'runs'>,
  ) {}

  get running(): readonly IndexingJob[] {
    return [...this.#running];
  }

  of(id: string): IndexingJob | undefined {
    return this.running.find((job) => job.head.id === id);
  }

  dispose(): void {
    // Nothing is cancelled: the journals have every step, and the next window goes on.
    for (const job of this.#running) job.leave();
    this.#running.clear();
    this.#store.dispose();
  }

  /** Makes a job of these files and starts it. */
  async begin(dataset: Dataset, model: VectorMode, files: readonly PlannedItem[]): Promise<IndexingJob> {
    const { planJob } = await import('../../jobs/openJob');
    const { connection } = this.services;
    const { baseUrl, scope } = dataset;
    const job = await planJob(
      await this.#place(),
      {
        environment: connection.active?.name ?? '',
        baseUrl,
        model: model.contract.slug,
        modelName: model.contract.name,
        scope,
        mode: model.mode.name,
        params: {},
      },
      files,
      model.shape,
      await this.#ports(baseUrl, model),
    );
    return this.#start(job);
  }

  /** Goes on with a job that was left. */
  async goOn(left: LeftJob): Promise<IndexingJob | undefined> {
    const { reopenJob } = await import('../../jobs/openJob');
    const { head } = left.record;
    await this.#client(head.baseUrl);
    const { requiredMode } = await import('../../indexing/vectorMode');
    const model = requiredMode(await this.services.catalog.contract(head.model), 'index');
    const job = await reopenJob(
      await this.#place(),
      left,
      model.shape,
      await this.#ports(head.baseUrl, model),
    );
    return job && this.#start(job);
  }

  /** Ends a job that was left; its environment need not be there any more. False: another window goes on with it. */
  async discard(left: LeftJob): Promise<boolean> {
    const { discardJob } = await import('../../jobs/openJob');
    return discardJob(await this.#place(), left);
  }

  /** Folder of the journals, in the extension's global storage: every window sees the same jobs. */
  get folder(): string {
    return join(this.services.context.globalStorageUri.fsPath, 'jobs');
  }

  async #place() {
    return { folder: this.folder, ledger: await this.services.ledger() };
  }

  #start(job: IndexingJob): IndexingJob {
    this.#running.add(job);
    this.#listChanged.fire();
    const stop = job.onDidChange(() => this.#changed.fire(job));
    const over = () => {
      stop();
      this.#running.delete(job);
      this.#listChanged.fire();
    };
    job.done.then(over, over);
    job.start();
    return job;
  }

  async #ports(baseUrl: string, model: VectorMode): Promise<JobPorts> {
    // Opened before the job: what fails in a run itself may have been sent.
    const runs = await this.services.runs();
    const price = model.mode.price ?? model.contract.price;
    const setting = (name: string, fallback: number) =>
      vscode.workspace.getConfiguration('modelBench').get(`indexing.${name}`, fallback);
    return {
      take: (item, signal) =>
        model.shape.carries === 'text' ? readText(item, signal) : this.#upload(baseUrl, item, signal),
      forget: (item) => this.#forget(baseUrl, item),
      run: (request, items, turn) => runs.performForJob({ baseUrl, request, items, turn, price }),
      pausedUntil: () => this.#clients.get(baseUrl)?.rateLimit.pausedUntilMs,
      concurrency: () => setting('concurrency', 8),
      batchSize: () => setting('batchSize', 16),
    };
  }

  /** A job belongs to one environment: it stops rather than follow the user into another. */
  async #client(baseUrl: string) {
    const client = await this.services.connection.client();
    if (client.baseUrl === baseUrl) {
      this.#clients.set(baseUrl, client);
      return client;
    }
    throw new ServiceError('notConnected', { why: { reason: 'otherEnvironment', baseUrl } });
  }

  async #upload(baseUrl: string, item: PlannedItem, signal: AbortSignal): Promise<TakenFile> {
    await this.#client(baseUrl);
    const uri = vscode.Uri.parse(item.uri, true);
    const { modifiedMs } = await presentFile(uri);
    const { uploadSourceOf } = await import('../../platform/localFile');
    const source = await uploadSourceOf(uri, this.services.context.globalState);
    const runs = await this.services.runs();
    const { mediaRef, sha256, reused } = await runs.upload({ uri: item.uri, source }, { signal });
    return { mediaRef, sha256, reused, sizeBytes: source.sizeBytes, modifiedMs };
  }

  async #forget(baseUrl: string, { uri, sha256 }: PlannedItem): Promise<void> {
    if (sha256 === undefined) return;
    const { uploadSourceOf } = await import('../../platform/localFile');
    const { mediaType } = await uploadSourceOf(
      vscode.Uri.parse(uri, true),
      this.services.context.globalState,
    );
    await (await this.services.runs()).forgetUpload({ baseUrl, sha256, mediaType });
  }
}

/** @throws why it cannot be indexed: it was there when the job was planned */
async function presentFile(uri: vscode.Uri): Promise<FileFacts> {
  const facts = await fileFacts(uri);
  if (!facts) throw new Error(vscode.l10n.t('It is no longer there.'));
  return facts;
}

async function readText(item: PlannedItem, signal: AbortSignal): Promise<TakenFile> {
  const uri = vscode.Uri.parse(item.uri, true);
  const { sizeBytes, modifiedMs } = await presentFile(uri);
  if (sizeBytes > MOST_TEXT_BYTES)
    throw new Error(
      vscode.l10n.t('It is larger than {0} MB, too much for one text.', MOST_TEXT_BYTES / 1024 / 1024),
    );
  const bytes = await vscode.workspace.fs.readFile(uri);
  const [{ hashFile }, { bytesOf }, { utf8Text }] = await Promise.all([
    import('../../indexing/indexFile'),
    import('../../platform/localFile'),
    import('../../platform/fileIntake/textFile'),
  ]);
  const sha256 = await hashFile({ open: () => bytesOf(uri) }, signal);
  const text = utf8Text(bytes, item.filename);
  return { sha256, sizeBytes, modifiedMs, text };
}
