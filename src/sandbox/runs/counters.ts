import type { RunRecord } from '../billing/accounts';
import type { RouteName } from '../http/routes';

/** One request as it arrived, before anything was decided about it. */
export interface SeenRequest {
  readonly route: RouteName | 'none';
  readonly method: string;
  readonly path: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** 0 before the response, and when the connection was reset. */
  status: number;
}

/** What a sandbox received and executed, for tests. */
export interface CountersSnapshot {
  /** Executed runs by `model mode`. */
  readonly runs: Readonly<Record<string, number>>;
  /** How often each item was indexed, by `model scope id`. */
  readonly indexed: Readonly<Record<string, number>>;
  readonly requests: Readonly<Record<string, number>>;
  readonly replies: Readonly<Record<string, number>>;
  readonly maxConcurrentRequests: number;
  readonly maxConcurrentRuns: number;
  /** Requests to the upload port that carried an API key: always an error of the client. */
  readonly keysOnUploadPort: number;
  /** The last requests, oldest first. */
  readonly timeline: readonly SeenRequest[];
}

const TIMELINE_LENGTH = 50_000;

/** Counts requests and executed runs. Runs survive a restart: they are read from the accounts. */
export class Counters {
  readonly #runs = new Map<string, number>();
  readonly #indexed = new Map<string, number>();
  readonly #requests = new Map<string, number>();
  readonly #replies = new Map<string, number>();
  #timeline: SeenRequest[] = [];
  #requestsNow = 0;
  #runsNow = 0;
  #mostRequests = 0;
  #mostRuns = 0;
  #keysOnUploadPort = 0;

  constructor(executed: readonly RunRecord[]) {
    for (const run of executed) this.executed(run);
  }

  executed({ model, mode, scope, ids = [] }: RunRecord): void {
    add(this.#runs, `${model} ${mode}`);
    for (const id of ids) add(this.#indexed, `${model} ${scope} ${id}`);
  }

  /** @returns call it with the status when the request is finished; 0 for a reset */
  arrived(route: RouteName | 'none', method: string, path: string, at: number): (status: number) => void {
    const seen: SeenRequest = { route, method, path, at, status: 0 };
    this.#timeline.push(seen);
    if (this.#timeline.length > TIMELINE_LENGTH * 1.2)
      this.#timeline = this.#timeline.slice(-TIMELINE_LENGTH);
    add(this.#requests, route);
    this.#requestsNow += 1;
    this.#mostRequests = Math.max(this.#mostRequests, this.#requestsNow);
    return (status) => {
      seen.status = status;
      add(this.#replies, String(status));
      this.#requestsNow -= 1;
    };
  }

  async whileRunning<T>(work: () => Promise<T>): Promise<T> {
    this.#runsNow += 1;
    this.#mostRuns = Math.max(this.#mostRuns, this.#runsNow);
    try {
      return await work();
    } finally {
      this.#runsNow -= 1;
    }
  }

  keyOnUploadPort(): void {
    this.#keysOnUploadPort += 1;
  }

  snapshot(): CountersSnapshot {
    return {
      runs: Object.fromEntries(this.#runs),
      indexed: Object.fromEntries(this.#indexed),
      requests: Object.fromEntries(this.#requests),
      replies: Object.fromEntries(this.#replies),
      maxConcurrentRequests: this.#mostRequests,
      maxConcurrentRuns: this.#mostRuns,
      keysOnUploadPort: this.#keysOnUploadPort,
      timeline: this.#timeline.map((seen) => ({ ...seen })),
    };
  }
}

const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
