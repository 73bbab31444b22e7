import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import type { JsonObject } from '../../domain/json';
import type { IndexingJob, InterruptedIndexingJob } from '../../indexing/indexingJobs';
import type { JobFile } from '../../indexing/indexKind';
import type { JobFiles } from '../../indexing/indexPorts';
import type { IndexPorts } from '../../indexing/indexWork';
import type { VectorMode } from '../../indexing/vectorMode';
import type { IndexingJobs, Services } from '../../services';
import { DisposableStore } from '../../vscode/disposables';
import { fileFacts } from '../../vscode/fileFacts';

/** The indexing jobs of this window. */
export class IndexJobs implements IndexingJobs, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<IndexingJob>());
  readonly #listChanged = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidProgress = this.#changed.event;
  readonly onDidChangeList = this.#listChanged.event;
  readonly #running = new Set<IndexingJob>();
  #interrupted: readonly InterruptedIndexingJob[] = [];
  #open: readonly InterruptedIndexingJob[] = [];

  constructor(
    private readonly services: Pick<Services, 'context' | 'connection' | 'catalog' | 'store' | 'runs'>,
  ) {}

  get running(): readonly IndexingJob[] {
    return [...this.#running];
  }

  of(id: string): IndexingJob | undefined {
    return this.running.find((job) => job.head.id === id);
  }

  get interrupted(): readonly InterruptedIndexingJob[] {
    return this.#interrupted.filter(({ head }) => !this.of(head.id));
  }

  get elsewhere(): readonly InterruptedIndexingJob[] {
    return this.#open.filter(({ head }) => !this.of(head.id));
  }

  async lookForInterrupted(): Promise<number> {
    const { interruptedJobs, openJobs } = await import('../../jobs/openJob');
    const jobs = await this.#jobs();
    const before = this.#rows();
    const { interrupted, held } = interruptedJobs(jobs);
    this.#interrupted = interrupted;
    this.#open = openJobs(jobs);
    if (this.#rows() !== before) this.#listChanged.fire();
    return held;
  }

  /** The listed jobs without a window here; numbers of those in other windows change all the time. */
  #rows(): string {
    return JSON.stringify([this.interrupted, this.elsewhere.map(({ head }) => head.id)]);
  }

  async unconfirmedIn({ head }: InterruptedIndexingJob, most: number): Promise<readonly JobFile[]> {
    const unconfirmed = (await (await this.#jobs()).allItems(head.id)).filter(
      ({ state }) => state === 'inFlight',
    );
    return unconfirmed.slice(0, most);
  }

  dispose(): void {
    // Jobs are not cancelled: the store has every step, and the next window resumes.
    for (const job of this.#running) job.detach();
    this.#running.clear();
    this.#store.dispose();
  }

  async begin(
    environment: Environment,
    scope: string,
    model: VectorMode,
    files: readonly JobFile[],
    params: JsonObject,
  ): Promise<IndexingJob> {
    const { planIndexingJob } = await import('../../indexing/indexingJobs');
    const { name, baseUrl } = environment;
    const job = await planIndexingJob(
      await this.#jobs(),
      {
        environment: name,
        baseUrl,
        model: model.contract.slug,
        modelName: model.contract.name,
        scope,
        mode: model.mode.name,
        params,
      },
      files,
      model.shape,
      await this.#ports(environment, model),
    );
    return this.#start(job);
  }

  async resume(interrupted: InterruptedIndexingJob): Promise<IndexingJob | undefined> {
    const { reopenIndexingJob } = await import('../../indexing/indexingJobs');
    const { head } = interrupted;
    const environment = { name: head.environment, baseUrl: head.baseUrl };
    // First of all whether there still is such an environment, with a key.
    await this.services.connection.client(environment);
    const { requiredMode } = await import('../../indexing/vectorMode');
    const contract = await this.services.catalog.of(environment).contract(head.model);
    const model = requiredMode(contract, 'index');
    const ports = await this.#ports(environment, model);
    const job = await reopenIndexingJob(await this.#jobs(), interrupted, model.shape, ports);
    return job && this.#start(job);
  }

  async discard(interrupted: InterruptedIndexingJob): Promise<boolean> {
    const { discardJob } = await import('../../jobs/openJob');
    return discardJob(await this.#jobs(), interrupted.head);
  }

  async #jobs() {
    const { indexJobs } = await import('../../indexing/indexJobs');
    return indexJobs(await this.services.store());
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

  async #ports(environment: Environment, model: VectorMode): Promise<IndexPorts> {
    const { indexPorts } = await import('../../indexing/indexPorts');
    const { readSetting } = await import('../../vscode/settings');
    return indexPorts({
      environment,
      carries: model.shape.carries,
      price: model.mode.price ?? model.contract.price,
      files: jobFiles(this.services.context.globalState),
      // Opened before the job: a run that fails in itself may have been sent.
      runs: await this.services.runs(),
      client: () => this.services.connection.client(environment),
      concurrency: () => readSetting('indexing.concurrency'),
      batchSize: () => readSetting('indexing.batchSize'),
      timeoutMs: () => readSetting('runTimeoutSeconds') * 1_000,
    });
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
