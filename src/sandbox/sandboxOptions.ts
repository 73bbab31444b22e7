import type { FaultRule } from './faults/faults';

/** How a sandbox is started, by the command line (main.ts) or by a test in its own process. */
export interface SandboxOptions {
  /** Folder of key, ports, media, vectors and billing; created if it does not exist. */
  readonly dataDir: string;
  /** Port of the API; 0 lets the system choose. Missing: the port used last if it is free, else 0. */
  readonly port?: number;
  /** Port of the uploads, as `port`. */
  readonly uploadPort?: number;
  /** Only `127.0.0.1` is accepted; another value is an error. */
  readonly host?: string;
  /** Milliseconds that every request waits, on both ports, before it is served. */
  readonly latencyMs?: number;
  /** Token bucket: `limit` requests at once, refilled over `windowSeconds`. Missing: no limit. */
  readonly rateLimit?: RateLimitOptions;
  /** Sets the balance to this decimal amount, even in a folder that has a balance already. */
  readonly wallet?: string;
  readonly faults?: readonly FaultRule[];
  /** Seed of the faults that have a probability. */
  readonly seed?: number;
  /** Opens `/__sandbox/…` (counters and settings) to the holder of the key. */
  readonly inspect?: boolean;
  /** Milliseconds since the epoch; tests may use their own clock. */
  readonly now?: () => number;
}

export interface RateLimitOptions {
  readonly limit: number;
  readonly windowSeconds: number;
}
