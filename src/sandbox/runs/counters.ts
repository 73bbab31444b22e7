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
  readonly runs: Record<string, number>;
  /** How often each item was indexed, by `model scope id`. */
  readonly indexed: Record<string, number>;
  readonly requests: Record<string, number>;
  readonly replies: Record<string, number>;
  maxConcurrentRequests: number;
  maxConcurrentRuns: number;
  /** Requests to the upload port that carried an API key: always an error of the client. */
  keysOnUploadPort: number;
  /** The last requests, oldest first. */
  timeline: SeenRequest[];
}

const TIMELINE_LENGTH = 50_000;

/** Counts requests and executed runs. Runs survive a restart: they are read from the accounts. */
export class Counters {
  readonly #counts: CountersSnapshot = {
    runs: {},
    indexed: {},
    requests: {},
    replies: {},
    maxConcurrentRequests: 0,
    maxConcurrentRuns: 0,
    keysOnUploadPort: 0,
    timeline: [],
  };
  #requestsNow = 0;
  #runsNow = 0;

  constructor(executed: readonly RunRecord[]) {
    for (const run of executed) this.executed(run);
  }

  executed({ model, mode, scope, ids = [] }: RunRecord): void {
    add(this.#counts.runs, `${model} ${mode}`);
    for (const id of ids) add(this.#counts.indexed, `${model} ${scope} ${id}`);
  }

  /** @returns call it with the status when the request is finished; 0 for a reset */
  arrived(route: RouteName | 'none', method: string, path: string, at: number): (status: number) => void {
    const counts = this.#counts;
    const seen: SeenRequest = { route, method, path, at, status: 0 };
    counts.timeline.push(seen);
    if (counts.timeline.length > TIMELINE_LENGTH * 1.2) counts.timeline.splice(0, TIMELINE_LENGTH * 0.2);
    add(counts.requests, route);
    this.#requestsNow += 1;
    counts.maxConcurrentRequests = Math.max(counts.maxConcurrentRequests, this.#requestsNow);
    return (status) => {
      seen.status = status;
      add(counts.replies, String(status));
      this.#requestsNow -= 1;
    };
  }

  async whileRunning<T>(work: () => Promise<T>): Promise<T> {
    this.#runsNow += 1;
    this.#counts.maxConcurrentRuns = Math.max(this.#counts.maxConcurrentRuns, this.#runsNow);
    try {
      return await work();
    } finally {
      this.#runsNow -= 1;
    }
  }

  keyOnUploadPort(): void {
    this.#counts.keysOnUploadPort += 1;
  }

  snapshot(): Readonly<CountersSnapshot> {
    return structuredClone(this.#counts);
  }
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
