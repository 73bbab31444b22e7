import { loggedError } from '../domain/loggedError';
import { type LogLine, logLine } from '../domain/logLine';
import type { Database } from './database';
import { number, text } from './rows';

/** Kinds of things that a window may show, and that another window may change. */
export const topics = ['datasets', 'jobs', 'runs', 'jobRuns', 'spending', 'agents', 'results'] as const;
export type Topic = (typeof topics)[number];

/** Notes, inside a change, that things of a kind have changed; returns the number of the change. */
export function touch(database: Database, topic: Topic): number {
  database.run('UPDATE revision SET n = n + 1 WHERE topic = ?', topic);
  return database.count('SELECT n FROM revision WHERE topic = ?', topic);
}

/** How often a window looks whether another process has changed the file: one read of a counter in shared memory. */
const LOOK_EVERY_MS = 250;

/** Reports changes of every process, this one's included, to those who show the things that changed. */
export class Revisions {
  readonly #listeners = new Map<Topic, Set<() => void>>();
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;
  readonly #stopListening: readonly (() => void)[];
  #version = 0;
  #seen: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly database: Database,
    private readonly log: (line: LogLine) => void,
  ) {
    // The counter of the file stays the same for the connection that makes a change.
    const reportSoon = () => {
      this.#soon ??= setImmediate(() => {
        this.#soon = undefined;
        this.report();
      });
    };
    this.#stopListening = [
      database.onDidWrite(reportSoon),
      database.onDidReopen(() => {
        // Its counters belong to another file.
        this.#seen = new Map();
        reportSoon();
      }),
    ];
  }

  /** Calls the listener after a change; returns how to stop listening. Without listeners the table is not read. */
  on(topic: Topic, listener: () => void): () => void {
    if (!this.#timer) {
      this.#version = this.#dataVersion();
      this.#seen = this.#read();
      this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    }
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (![...this.#listeners.values()].some(({ size }) => size > 0)) this.#rest();
    };
  }

  /** Reports changes by any window. */
  report(): void {
    if (!this.#timer) return;
    const before = this.#seen;
    this.#seen = this.#read();
    for (const topic of topics)
      if (this.#seen.get(topic) !== before.get(topic))
        for (const listener of [...(this.#listeners.get(topic) ?? [])]) listener();
  }

  stop(): void {
    this.#rest();
    clearImmediate(this.#soon);
    for (const stop of this.#stopListening) stop();
    this.#listeners.clear();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    try {
      this.database.reopenIfReplaced();
      const version = this.#dataVersion();
      if (version === this.#version) return;
      this.#version = version;
      this.report();
    } catch (error) {
      this.log(logLine`Changes of other windows could not be read: ${loggedError(error)}`);
    }
  }

  /** Changes when another connection has changed the file. */
  #dataVersion(): number {
    return this.database.get('PRAGMA data_version', (row) => number(row, 'data_version')) ?? 0;
  }

  #read(): ReadonlyMap<string, number> {
    return new Map(
      this.database.all(
        'SELECT topic, n FROM revision',
        (row) => [text(row, 'topic'), number(row, 'n')] as const,
      ),
    );
  }
}
