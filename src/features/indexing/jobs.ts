import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { IndexingJob, InterruptedIndexingJob } from '../../indexing/indexingJobs';
import type { JobFile } from '../../indexing/indexKind';
import type { JobFiles } from '../../indexing/indexPorts';
import type { IndexPorts } from '../../indexing/indexWork';
import type { VectorMode } from '../../indexing/vectorMode';
import { DisposableStore } from '../../platform/disposables';
import { fileFacts } from '../../platform/fileFacts';
import { ServiceError } from '../../service/errors';
import type { IndexingJobs, Services } from '../../services';

/** The indexing jobs of this window. */
export class Jobs implements IndexingJobs, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<IndexingJob>());
  readonly #listChanged = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidProgress = this.#changed.event;
  readonly onDidChangeList = this.#listChanged.event;
  readonly #running = new Set<IndexingJob>();

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
    // Nothing is cancelled: the journals have every step, and the next window resumes.
    for (const job of this.#running) job.detach();
    this.#running.clear();
    this.#store.dispose();
  }

  async begin(dataset: Dataset, model: VectorMode, files: readonly JobFile[]): Promise<IndexingJob> {
    const { planIndexingJob } = await import('../../indexing/indexingJobs');
    const environment = this.services.connection.active?.name ?? '';
    const { baseUrl, scope } = dataset;
    const job = await planIndexingJob(
      await this.#place(),
      {
        ...{ environment, baseUrl, model: model.contract.slug, modelName: model.contract.name },
        ...{ scope, mode: model.mode.name, params: {} },
      },
      files,
      model.shape,
      await this.#ports(baseUrl, model),
    );
    return this.#start(job);
  }

  async resume(interrupted: InterruptedIndexingJob): Promise<IndexingJob | undefined> {
    const { reopenIndexingJob } = await import('../../indexing/indexingJobs');
    const { head } = interrupted.record;
    await this.#client(head.baseUrl);
    const { requiredMode } = await import('../../indexing/vectorMode');
    const model = requiredMode(await this.services.catalog.contract(head.model), 'index');
    const ports = await this.#ports(head.baseUrl, model);
    const job = await reopenIndexingJob(await this.#place(), interrupted, model.shape, ports);
    return job && this.#start(job);
  }

  async discard(interrupted: InterruptedIndexingJob): Promise<boolean> {
    const { discardIndexingJob } = await import('../../indexing/indexingJobs');
    return discardIndexingJob(await this.#place(), interrupted);
  }

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
    const ended = () => {
      stop();
      this.#running.delete(job);
      this.#listChanged.fire();
    };
    job.done.then(ended, ended);
    job.start();
    return job;
  }

  async #ports(baseUrl: string, model: VectorMode): Promise<IndexPorts> {
    const { indexPorts } = await import('../../indexing/indexPorts');
    const setting = (name: string, fallback: number) =>
      vscode.workspace.getConfiguration('modelBench').get(`indexing.${name}`, fallback);
    return indexPorts({
      baseUrl,
      carries: model.shape.carries,
      price: model.mode.price ?? model.contract.price,
      files: jobFiles(this.services.context.globalState),
      // Opened before the job: what fails in a run itself may have been sent.
      runs: await this.services.runs(),
      client: () => this.#client(baseUrl),
      concurrency: () => setting('concurrency', 8),
      batchSize: () => setting('batchSize', 16),
    });
  }

  /** A job belongs to one environment: it stops rather than follow the user into another. */
  async #client(baseUrl: string) {
    const client = await this.services.connection.client();
    if (client.baseUrl === baseUrl) return client;
    throw new ServiceError('notConnected', { why: { reason: 'otherEnvironment', baseUrl } });
  }
}

function jobFiles(memory: vscode.Memento): JobFiles {
  const local = () => import('../../platform/localFile');
  return {
    facts: (uri) => fileFacts(vscode.Uri.parse(uri, true)),
    async *open(uri) {
      yield* (await local()).bytesOf(vscode.Uri.parse(uri, true));
    },
    uploadSource: async (uri) => (await local()).uploadSourceOf(vscode.Uri.parse(uri, true), memory),
  };
}
