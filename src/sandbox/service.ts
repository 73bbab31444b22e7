import { RateLimit } from './access/rateLimit';
import { Accounts } from './billing/accounts';
import { parseAmount } from './billing/money';
import { Faults } from './faults/faults';
import { MediaStore } from './media/mediaStore';
import { Uploads } from './media/uploads';
import { Counters } from './runs/counters';
import { JobStore } from './runs/jobStore';
import type { SandboxOptions } from './sandboxOptions';
import { VectorStore } from './vectors/vectorStore';

/** The parts of one sandbox, as its routes use them. */
export type Service = ReturnType<typeof openService>;

/** Opens the data of a folder. @throws {RangeError} an invalid option */
export function openService(options: SandboxOptions, apiKey: string) {
  const { dataDir, now = Date.now, rateLimit, wallet } = options;
  const accounts = new Accounts(dataDir, now);
  if (wallet !== undefined) accounts.setBalance(parseAmount(wallet));
  const media = new MediaStore(dataDir);
  const vectors = new VectorStore(dataDir, now);
  const jobs = new JobStore(dataDir);
  return {
    apiKey,
    // Set when the ports are known.
    baseUrl: '',
    uploadOrigin: '',
    /** Whether `/__sandbox/…` is open to the holder of the key. */
    inspect: options.inspect === true,
    /** What may be changed while the sandbox runs. */
    settings: { latencyMs: options.latencyMs ?? 0, rateLimit: rateLimit && new RateLimit(rateLimit, now) },
    accounts,
    counters: new Counters(accounts.runs),
    faults: new Faults(options.faults, options.seed),
    jobs,
    media,
    uploads: new Uploads(media, now),
    vectors,
    now,
    stopping: new AbortController(),
    closeFiles: () => {
      for (const file of [accounts, media, vectors, jobs]) file.close();
    },
  };
}
