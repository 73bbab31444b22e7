import type { RateLimit } from './access/rateLimit';
import type { Accounts } from './billing/accounts';
import type { Faults } from './faults/faults';
import type { MediaStore } from './media/mediaStore';
import type { Uploads } from './media/uploads';
import type { Catalog } from './models/catalog';
import type { Counters } from './runs/counters';
import type { JobStore } from './runs/jobStore';
import type { VectorStore } from './vectors/vectorStore';

/** What may be changed while the sandbox runs. */
export interface LiveSettings {
  latencyMs: number;
  rateLimit: RateLimit | undefined;
}

/** The parts of one sandbox, as its routes use them. */
export interface Service {
  readonly apiKey: string;
  /** Set when the ports are known. */
  baseUrl: string;
  uploadOrigin: string;
  /** Whether `/__sandbox/…` is open to the holder of the key. */
  readonly inspect: boolean;
  readonly settings: LiveSettings;
  readonly accounts: Accounts;
  readonly catalog: Catalog;
  readonly counters: Counters;
  readonly faults: Faults;
  readonly jobs: JobStore;
  readonly media: MediaStore;
  readonly uploads: Uploads;
  readonly vectors: VectorStore;
  readonly now: () => number;
  /** Aborted when the sandbox stops. */
  readonly signal: AbortSignal;
}
