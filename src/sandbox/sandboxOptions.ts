import type { FaultRule } from './faults/faults';

/** How a sandbox is started, by the command line (main.ts) or by a test in its own process. */
export interface SandboxOptions {
  /** Folder in which key, ports, media, vectors and billing stand; made when it is missing. */
  readonly dataDir: string;
  /** Port of the API; 0 lets the system pick. Missing: the port used last if it is free, else 0. */
  readonly port?: number;
  /** Port of the uploads, as `port`. */
  readonly uploadPort?: number;
  /** Only `127.0.0.1` is accepted; the option is there so that asking for more fails loudly. */
  readonly host?: string;
  /** Milliseconds that every request waits, on both ports, before it is served. */
  readonly latencyMs?: number;
  /** Token bucket: `limit` requests at once, refilled over `windowSeconds`. Missing: no limit. */
  readonly rateLimit?: RateLimitOptions;
  /** Sets the balance to this decimal amount, also in a folder that has a balance already. */
  readonly wallet?: string;
  readonly faults?: readonly FaultRule[];
  /** Seed of the faults that strike with a probability. */
  readonly seed?: number;
  /** Opens `/__sandbox/…` (counters and settings) to the bearer of the key. */
  readonly inspect?: boolean;
  /** Made-up models added to the catalog, to see how a client bears a long one. */
  readonly extraModels?: number;
  /** Models a catalog page holds when the request does not say; the rest follow through `next`. */
  readonly catalogPageSize?: number;
  /** Milliseconds since the epoch; tests may bring their own clock. */
  readonly now?: () => number;
}

export interface RateLimitOptions {
  readonly limit: number;
  readonly windowSeconds: number;
}
