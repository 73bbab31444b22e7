import { RateLimit } from './access/rateLimit';
import { Accounts } from './billing/accounts';
import { parseAmount } from './billing/money';
import { Faults } from './faults/faults';
import { MediaStore } from './media/mediaStore';
import { Uploads } from './media/uploads';
import { Counters } from './runs/counters';
import { JobStore } from './runs/jobStore';
import type { SandboxOptions } from './sandboxOptions';
import { openDatabase } from './store/openDatabase';
import { VectorStore } from './vectors/vectorStore';

/** The parts of one sandbox, as its routes use them. */
export type Service = ReturnType<typeof openService>;

/** Opens the data of a folder. @throws {RangeError | DataProblem} an invalid option, data that cannot be used */
export function openService(options: SandboxOptions, apiKey: string) {
  const { dataDir, now = Date.now, rateLimit, wallet } = options;
  const balance = wallet === undefined ? undefined : parseAmount(wallet);
  const { database, setAside } = openDatabase(dataDir);
  const accounts = new Accounts(database, now);
  if (balance !== undefined) accounts.setBalance(balance);
  const media = new MediaStore(dataDir, database);
  return {
    database,
    /** Where a damaged database was moved at the start. */
    setAside,
    apiKey,
    // Set when the ports are known.
    baseUrl: '',
    uploadOrigin: '',
    /** Whether `/__sandbox/…` is open to the holder of the key. */
    inspect: options.inspect === true,
    /** The settings that may change while the sandbox runs. */
    settings: { latencyMs: options.latencyMs ?? 0, rateLimit: rateLimit && new RateLimit(rateLimit, now) },
    accounts,
    counters: new Counters(database),
    faults: new Faults(options.faults, options.seed),
    jobs: new JobStore(database),
    media,
    uploads: new Uploads(media, now),
    vectors: new VectorStore(database, now),
    now,
    stopping: new AbortController(),
  };
}
