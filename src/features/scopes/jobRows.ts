import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import type { IndexingJob } from '../../indexing/indexingJobs';
import type { Services } from '../../services';
import { Owner } from '../../vscode/disposables';
import type { ScopesNode } from './nodes';

type JobNode = Extract<ScopesNode, { readonly job: unknown }>;

/** Unconfirmed files of an interrupted job that have rows. */
const MOST_UNCONFIRMED = 100;
/** Time between two looks at a job of another window. */
const LOOK_ELSEWHERE_MS = 2_000;

/** The rows of jobs, and of the numbers below them: a job's own row, with its buttons, is not drawn with its numbers. */
export class JobRows extends Owner {
  readonly #changed = this.store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #lookAgain = this.store.soon(LOOK_ELSEWHERE_MS, () => this.look());
  readonly #numbers = new WeakMap<IndexingJob, ScopesNode[]>();

  constructor(private readonly services: Pick<Services, 'jobs' | 'log'>) {
    super();
    this.store.add(services.jobs.onDidChangeList(() => this.#changed.fire()));
  }

  get roots(): ScopesNode[] {
    const { running, elsewhere, interrupted } = this.services.jobs;
    return [
      ...running.map((job) => ({ kind: 'job', id: `job ${job.head.id}`, job }) as const),
      ...elsewhere.map((job) => ({ kind: 'elsewhere', id: `elsewhere ${job.head.id}`, job }) as const),
      ...interrupted.map((job) => ({ kind: 'interrupted', id: `interrupted ${job.head.id}`, job }) as const),
    ];
  }

  get numbers(): ScopesNode[] {
    return this.services.jobs.running.flatMap((job) => this.#numbersOf(job));
  }

  /** The numbers of a job, and its files with an unknown outcome: the user decides about them first. */
  async below(node: JobNode): Promise<ScopesNode[]> {
    const { id } = node;
    if (node.kind === 'job') return this.#numbersOf(node.job);
    if (node.kind === 'elsewhere') return [{ kind: 'elsewhereFiles', id: `${id} files`, job: node.job }];
    if (node.kind !== 'interrupted') return [];
    const { job } = node;
    const files = await this.services.jobs.unconfirmedIn(job, MOST_UNCONFIRMED);
    const left = (job.counts.inFlight ?? 0) - files.length;
    return [
      { kind: 'interruptedFiles', id: `${id} files`, job },
      ...files.map((file): ScopesNode => ({ kind: 'unconfirmed', id: `${id} ${file.imageId}`, file })),
      ...(left > 0 ? [{ kind: 'note' as const, id: `${id} more`, text: l10n.t('And {0} more.', left) }] : []),
    ];
  }

  /** Another window may have begun a job, interrupted, resumed or ended it; one that works on a job may be killed. */
  look(): void {
    const { jobs, log } = this.services;
    const before = JSON.stringify(jobs.elsewhere);
    const look = async () => {
      await jobs.lookForInterrupted();
      if (JSON.stringify(jobs.elsewhere) !== before) this.#changed.fire();
      if (jobs.elsewhere.length > 0) this.#lookAgain();
    };
    look().catch((error: unknown) => log.warn(loggedError(error)));
  }

  #numbersOf(job: IndexingJob): ScopesNode[] {
    const id = `job ${job.head.id}`;
    const rows = this.#numbers.get(job) ?? [
      { kind: 'jobFiles', id: `${id} files`, job },
      { kind: 'jobPace', id: `${id} pace`, job },
    ];
    this.#numbers.set(job, rows);
    return rows;
  }
}
