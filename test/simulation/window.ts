import { followJob } from '../../src/commands/followJob';
import type { Price } from '../../src/domain/model';
import { type IndexingJob, planIndexingJob, reopenIndexingJob } from '../../src/indexing/indexingJobs';
import { indexJobs } from '../../src/indexing/indexJobs';
import { indexPorts } from '../../src/indexing/indexPorts';
import type { IndexPorts } from '../../src/indexing/indexWork';
import type { PayloadShape } from '../../src/indexing/payload';
import { type Plan, planIndexing } from '../../src/indexing/plan';
import { errorConsequence } from '../../src/jobs/consequence';
import { discardJob, interruptedJobs } from '../../src/jobs/openJob';
import type { JobProgress, JobState } from '../../src/jobs/progress';
import type { AgentPurse } from '../../src/runs/budget/agentPurse';
import { Guard } from '../../src/runs/budget/guard';
import { WorkspaceSpending } from '../../src/runs/budget/workspaceSpending';
import { Estimates } from '../../src/runs/estimates/estimates';
import { openHistory } from '../../src/runs/history/history';
import { JobRuns } from '../../src/runs/history/jobRuns';
import { createRuns } from '../../src/runs/perform';
import type { ServiceClient } from '../../src/service/client';
import { createServiceClient } from '../../src/service/createClient';
import { Store } from '../../src/store/store';
import { callOfAgent, permit } from './agentCalls';
import type { ChangeFate, Disk } from './disk';
import type { Folder } from './folder';
import { type Judge, SCOPE } from './judge';
import type { Network } from './network';
import type { AgentCallOrder, Other } from './others';
import { runPanel } from './panelRuns';
import type { Scenario } from './scenario';
import { KEY, MODEL, type SimService } from './service';
import type { SimProcess, World } from './world';

/** The shared parts of all windows. */
export interface Surroundings {
  readonly world: World;
  readonly disk: Disk;
  readonly network: Network;
  readonly judge: Judge;
  readonly folder: Folder;
  readonly scenario: Scenario;
  readonly services: readonly SimService[];
  /** Processes that live, by number. */
  readonly living: ReadonlySet<number>;
}

const SHAPES: Readonly<Record<Scenario['carries'], PayloadShape>> = {
  media: {
    ...{ property: 'images', list: true, carries: 'media', ids: 'image_ids' },
    ...{ maxItems: Number.POSITIVE_INFINITY, accept: ['image/*'] },
  },
  text: {
    ...{ property: 'texts', list: true, carries: 'text', ids: 'ids' },
    ...{ maxItems: Number.POSITIVE_INFINITY, accept: ['text/*'] },
  },
};
export const PRICE: Price = { money: { amount: '0.01', currency: 'USD' }, per: 'image' };
const quiet = () => undefined;

/** The reserve for the runs of this number of files; undefined: they must not be paid. */
export type Pay = (files: number) => Promise<AgentPurse | undefined>;

/** Which of a plan's files the user asks to index. */
export type Choice = 'new' | 'unconfirmed' | 'failed';

/** A window of the product: its parts as the extension composes them, in a process that may die. */
export class SimWindow {
  readonly jobs: IndexingJob[] = [];
  /** Runs of panels and agents, and calls of terminals, that have no outcome yet. */
  panelRuns = 0;
  indexesForAgent = false;

  private constructor(
    readonly process: SimProcess,
    private readonly around: Surroundings,
    private readonly parts: Parts,
    private readonly workspace: number,
  ) {}

  /** @param workspace the folder that is open in it */
  static async open(
    process: SimProcess,
    around: Surroundings,
    workspace: number,
    fateOf: () => ChangeFate,
    other?: Other,
  ): Promise<SimWindow> {
    return new SimWindow(process, around, await partsOf(process, around, fateOf, other), workspace);
  }

  /** A press of _Run_ in a run panel; resolves when the run has an outcome. */
  async runPanel(service: SimService): Promise<void> {
    await this.#counted(() => runPanel(this.parts, this.around, service, this.workspace));
  }

  /** A paid call of an agent of this process. */
  async callOfAgent(
    call: AgentCallOrder,
    other: Extract<Other, { kind: 'server' }>,
    service: SimService,
    stop: AbortSignal,
  ) {
    if (this.around.judge.isBudgetOpen) return;
    await this.#counted(() => callOfAgent(this, this.parts, this.around, service, other, call, stop));
  }

  async permit(cents: number): Promise<void> {
    for (const service of this.around.services) await permit(this.parts, this.around, service, cents);
  }

  /** As a call of the command line: it ends the jobs that others have left, then indexes. */
  async indexOnce(choice: Choice, service: SimService, signal: AbortSignal, pay?: Pay): Promise<void> {
    await this.#counted(async () => {
      const jobs = indexJobs(this.parts.store);
      const isHere = ({ baseUrl }: { readonly baseUrl: string }) => baseUrl === service.baseUrl;
      while (jobs.list().some(isHere)) {
        signal.throwIfAborted();
        for (const { head } of interruptedJobs(jobs).interrupted)
          if (isHere(head)) {
            this.around.world.mark('terminal: ends a job that was left');
            await discardJob(jobs, head);
          }
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      const job = await this.index(choice, service, pay);
      if (!job) return;
      const terminal = { print: quiet, warn: quiet, progress: quiet, printJson: quiet };
      const stopShowing = followJob(job, () => '', terminal, signal);
      // It says why: another process may have resumed or ended the job meanwhile.
      await job.done.catch(() => undefined).finally(stopShowing);
    });
  }

  /** Until no run is waited for, or this time has ended. */
  async untilIdle(mostMs: number): Promise<void> {
    for (let left = mostMs; this.panelRuns > 0 && left > 0; left -= 100)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }

  async #counted(work: () => Promise<void>): Promise<void> {
    this.panelRuns++;
    await work().finally(() => {
      this.panelRuns--;
    });
  }

  /** Plans the folder's files, and starts a job of them. */
  async index(choice: Choice, service: SimService, pay?: Pay): Promise<IndexingJob | undefined> {
    const { judge, scenario } = this.around;
    const { store } = this.parts;
    const dataset = datasetOf(service);
    const plan = await this.plan(service);
    const files = [...plan.added, ...plan.changed, ...chosenOf(plan, choice)];
    if (files.length === 0) return undefined;
    const agent = await pay?.(files.length);
    if (pay && !agent) return undefined;
    if (choice === 'unconfirmed') for (const { imageId } of plan.unknown) judge.allow(service, imageId);
    const head = {
      ...{ environment: 'simulated', ...dataset, modelName: MODEL, mode: 'index', params: {} },
    };
    const shape = SHAPES[scenario.carries];
    const ports = this.#ports(dataset.baseUrl, agent);
    const job = await planIndexingJob(indexJobs(store), head, files, shape, ports);
    this.#start(job);
    return job;
  }

  plan(service: SimService): Promise<Plan> {
    const { folder } = this.around;
    const files = folder.list(this.workspace);
    const { datasets } = this.parts.store;
    return planIndexing(datasetOf(service), files, [], datasets, { places: folder.places });
  }

  /** Resumes the interrupted jobs that there are; resolves to how many others may still turn out to be. */
  async resumeInterrupted(): Promise<number> {
    const jobs = indexJobs(this.parts.store);
    const { interrupted, held } = interruptedJobs(jobs);
    for (const one of interrupted) {
      if (this.jobs.some(({ head, progress }) => head.id === one.head.id && progress.state !== 'ended'))
        continue;
      const { baseUrl } = one.head;
      const shape = SHAPES[this.around.scenario.carries];
      const job = await reopenIndexingJob(jobs, one, shape, this.#ports(baseUrl));
      if (!job) continue;
      this.parts.guard.approve(baseUrl);
      this.#start(job);
    }
    return held;
  }

  resumePaused(): void {
    for (const job of this.jobs) {
      if (job.progress.state !== 'paused') continue;
      this.parts.guard.approve(job.head.baseUrl);
      job.resume();
    }
  }

  /** As the extension is deactivated, and its host ends. */
  async close(): Promise<void> {
    for (const job of this.jobs) job.detach();
    for (const client of this.parts.clients.values()) client.close();
    this.parts.history.close();
    this.parts.jobRuns.close();
    await this.parts.store.close();
  }

  #start(job: IndexingJob): void {
    this.jobs.push(job);
    let before = job.progress.state;
    job.onDidChange(() => {
      before = this.#mark(job.progress, before);
    });
    job.done.catch(() => undefined);
    job.start();
  }

  /** Notes which states the engine has reached. */
  #mark(progress: JobProgress, before: JobState): JobState {
    const { world } = this.around;
    const { state, waiting, reason, isHeldUp, done, failed, unknown, skipped, remaining } = progress;
    world.mark(`job: ${state}`);
    if (state !== before) world.mark(`from ${before} to ${state}`);
    if (waiting) world.mark(`job: waits (${waiting.reason})`);
    if (reason !== undefined) world.mark('job: says why it stopped');
    if (isHeldUp) world.mark('job: held up by another');
    for (const [name, count] of Object.entries({ done, failed, unknown, skipped, remaining }))
      if (count > 0) world.mark(`items: ${name}`);
    return state;
  }

  #ports(baseUrl: string, agent?: AgentPurse): IndexPorts {
    const { world, folder, scenario } = this.around;
    const { clients, runs } = this.parts;
    const marked = <T>(request: 'prepare' | 'run', promise: Promise<T>) =>
      promise.catch((error: unknown) => {
        world.mark(`${request}: ${errorConsequence(error, request)}`);
        throw error;
      });
    const ports = indexPorts({
      ...{ environment: { name: 'simulated', baseUrl }, carries: scenario.carries, price: PRICE },
      ...(agent && { agent }),
      ...{ files: folder.jobFiles, runs, client: async () => clients.get(baseUrl)! },
      concurrency: () => scenario.concurrency,
      batchSize: () => scenario.batchSize,
      timeoutMs: () => scenario.timeoutMs,
    });
    return {
      ...ports,
      take: (...args) => marked('prepare', ports.take(...args)),
      run: (...args) => marked('run', ports.run(...args)),
    };
  }
}

function datasetOf({ baseUrl }: SimService) {
  return { baseUrl, model: MODEL, scope: SCOPE };
}

function chosenOf({ unknown, failedBefore }: Plan, choice: Choice) {
  if (choice === 'unconfirmed') return unknown;
  return choice === 'failed' ? failedBefore : [];
}

export type Parts = Awaited<ReturnType<typeof partsOf>>;

async function partsOf(
  process: SimProcess,
  around: Surroundings,
  fateOf: () => ChangeFate,
  other: Other | undefined,
) {
  const { disk, judge, network, scenario, services, living } = around;
  const database = disk.openedBy(process, fateOf, () => judge.committed());
  const store = new Store(database, 'simulated', {
    owner: { pid: process.pid, host: 'here', isAlive: (pid) => living.has(pid) },
  });
  judge.knowOwner(store.owners.id, process);
  const history = await openHistory(store, { limit: () => 200, log: quiet });
  const jobRuns = new JobRuns(store, quiet);
  const ofTerminal = { of: 'session', cents: other?.maxCents ?? 0 } as const;
  const budget = other ? (other.kind === 'terminal' ? ofTerminal : undefined) : scenario.budget;
  if (budget) judge.budgets.set(process, budget);
  const isRaised = () => !other && judge.isBudgetOpen;
  const limits = () => ({
    confirmRuns: 20,
    ...(budget && !isRaised() && { [budget.of]: { amount: (budget.cents / 100).toFixed(2) } }),
  });
  const estimates = new Estimates([history, jobRuns], 'en');
  const guard = new Guard({
    ...{ limits, estimates, locale: 'en' },
    spent: new WorkspaceSpending(store, 'workspace', { log: quiet }),
  });
  const clients = new Map<string, ServiceClient>();
  for (const { baseUrl } of services)
    clients.set(
      baseUrl,
      createServiceClient({
        ...{ environment: 'simulated', baseUrl, network: {}, transport: network.of(process) },
        log: { debug: quiet, info: quiet, warn: quiet },
        apiKey: async () => {
          if (scenario.keyMs > 0)
            await new Promise((resolve) => setTimeout(resolve, process.random.next() * scenario.keyMs));
          return KEY;
        },
      }),
    );
  const client = async ({ baseUrl }: { readonly baseUrl: string }) => clients.get(baseUrl)!;
  const runs = createRuns({ client, history, guard, jobRuns, cache: store.uploads });
  return { store, history, jobRuns, estimates, guard, clients, runs };
}
