import { Worker } from 'node:worker_threads';
import type { Database } from './database';
import type { Task } from './worker';

/** Changes of this process after which the write-ahead log is brought home. */
const CHANGES = 50;
/** So long after its last work the worker thread ends. */
const IDLE_MS = 20_000;
/** Pages of 4 kB in the log past which a commit brings it home itself, should the worker not keep up. */
const PAGES_WITH_WORKER = 4_000;

/**
 * Brings the write-ahead log home in a worker thread: it syncs the whole database, which would hold the thread of the
 * extension host for tens of milliseconds. Where there is no worker, commits do it themselves, in small steps.
 */
export class Checkpoints {
  #changes = 0;
  #thread: Worker | undefined;
  #isBusy = false;
  #idle: NodeJS.Timeout | undefined;
  readonly #stopListening: () => void;

  constructor(
    private readonly database: Database,
    private readonly folder: string,
    private readonly worker: string | URL,
  ) {
    this.#stopListening = database.onDidWrite(() => this.#changed());
    // From the beginning: the first fifty changes may well fill a small log.
    database.checkpointAfter(PAGES_WITH_WORKER);
  }

  /** Resolves when the worker thread has ended. */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#end();
  }

  #changed(): void {
    this.#changes++;
    this.#bringHomeIfDue();
  }

  #bringHomeIfDue(): void {
    if (this.#changes < CHANGES || this.#isBusy) return;
    this.#changes = 0;
    const thread = this.#start();
    if (!thread) return;
    this.#isBusy = true;
    clearTimeout(this.#idle);
    thread.postMessage('checkpoint');
  }

  #start(): Worker | undefined {
    if (this.#thread) return this.#thread;
    try {
      const task: Task = { task: 'checkpoints', storeFolder: this.folder };
      const thread = new Worker(this.worker, { workerData: task });
      thread.unref();
      thread.on('message', () => {
        // The last word of one that is ending.
        if (this.#thread !== thread) return;
        this.#isBusy = false;
        this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
        // Changes that came while it was at work, perhaps the last for long.
        this.#bringHomeIfDue();
      });
      thread.on('error', () => this.#doWithout());
      this.#thread = thread;
      return thread;
    } catch {
      this.#doWithout();
      return undefined;
    }
  }

  #doWithout(): void {
    this.#thread = undefined;
    this.#stopListening();
    this.database.checkpointAfter();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    this.#isBusy = false;
    if (!thread) return;
    // Not `once` of node:events: it would fail at an error, which has its own listener.
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    // Or a process that has nothing else to do would end before it.
    thread.ref();
    thread.postMessage('end');
    await ended;
  }
}
