import type { Server } from 'node:http';
import { matchRoute, type RouteName } from '../../../src/sandbox/http/routes';
import type { Database } from '../../../src/sandbox/store/database';

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

type Counts = Record<string, number>;

const nothing = () => ({
  requests: {} as Counts,
  replies: {} as Counts,
  maxConcurrentRequests: 0,
  /** Requests to the upload port that carried an API key: always an error of the client. */
  keysOnUploadPort: 0,
  /** The last requests, oldest first. */
  timeline: [] as SeenRequest[],
});

/** The requests that a sandbox received and executed, for tests. */
export type CountersSnapshot = ReturnType<Counters['snapshot']>;

const TIMELINE_LENGTH = 50_000;

/** Counts requests of this process, and the executed runs of all that the database knows. */
export class Counters {
  readonly #counts = nothing();
  #requestsNow = 0;

  constructor(private readonly database: Database) {}

  /** @returns call it with the status when the request is finished; 0 for a reset */
  #arrived(route: RouteName | 'none', method: string, path: string, at: number): (status: number) => void {
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

  /** Counts the requests of the two ports. */
  watch({ api, uploads }: { readonly api: Server; readonly uploads: Server }, now: () => number): void {
    for (const server of [api, uploads])
      server.prependListener('request', (request, response) => {
        const { method = '', url = '' } = request;
        const [path = ''] = url.split('?');
        const isUpload = server === uploads;
        const hasKey = 'x-api-key' in request.headers || 'authorization' in request.headers;
        if (isUpload && hasKey) this.#counts.keysOnUploadPort += 1;
        const finished = this.#arrived(
          isUpload ? 'upload-bytes' : routeName(method, path),
          method,
          path,
          now(),
        );
        response.once('close', () => finished(response.headersSent ? response.statusCode : 0));
      });
  }

  snapshot() {
    return {
      ...structuredClone(this.#counts),
      runs: this.#counted("SELECT model || ' ' || mode AS name, count(*) AS n FROM runs GROUP BY name"),
      /** How often each item was indexed, by `model scope id`. */
      indexed: this.#counted(
        `SELECT model || ' ' || scope || ' ' || value AS name, count(*) AS n
         FROM runs, json_each(ids) GROUP BY name`,
      ),
    };
  }

  #counted(sql: string): Counts {
    return Object.fromEntries(this.database.all(sql).map(({ name, n }) => [String(name), Number(n)]));
  }
}

function add(counts: Counts, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function routeName(method: string, path: string): RouteName | 'none' {
  try {
    return matchRoute(method, path).name;
  } catch {
    return 'none';
  }
}
