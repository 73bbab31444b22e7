import { Api } from './api';
import { Accounts } from './billing/accounts';
import { parseAmount } from './billing/money';
import { Faults } from './faults/faults';
import { LOOPBACK, listen } from './http/loopback';
import { createPort } from './http/requestListener';
import { MediaStore } from './media/mediaStore';
import { serveUpload } from './media/uploadPort';
import { Uploads } from './media/uploads';
import { Catalog } from './models/catalog';
import { Counters } from './runs/counters';
import { JobStore } from './runs/jobStore';
import { Runner } from './runs/runner';
import type { SandboxOptions } from './sandboxOptions';
import { type LiveSettings, makeRateLimit } from './settings';
import { keepIdentity, readIdentity } from './store/identity';
import { VectorStore } from './vectors/vectorStore';

/** A running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly baseUrl: string;
  readonly uploadOrigin: string;
  readonly apiKey: string;
  readonly counters: Counters;
  readonly faults: Faults;
  readonly accounts: Accounts;
  /** What may be changed while it runs. */
  readonly settings: LiveSettings;
  /** Ends every connection and closes the files. */
  stop(): Promise<void>;
}

/**
 * Starts the service on two loopback ports, with the data of its folder.
 *
 * @throws {RangeError} an option that is invalid, such as another host than 127.0.0.1
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.host !== undefined && options.host !== LOOPBACK) {
    throw new RangeError(`The sandbox binds ${LOOPBACK} only, not ${options.host}.`);
  }
  const { dataDir, now = Date.now } = options;
  const identity = readIdentity(dataDir);
  const accounts = new Accounts(dataDir, now);
  if (options.wallet !== undefined) accounts.setBalance(parseAmount(options.wallet));
  const media = new MediaStore(dataDir);
  const vectors = new VectorStore(dataDir, now);
  const jobs = new JobStore(dataDir);
  const files = [accounts, media, vectors, jobs];
  const counters = new Counters(accounts.runs);
  const faults = new Faults(options.faults, options.seed);
  const uploads = new Uploads(media, now);
  const stopping = new AbortController();
  const catalog = new Catalog(options.extraModels ?? 0, options.catalogPageSize ?? 100);
  const runner = new Runner({
    catalog,
    accounts,
    media,
    vectors,
    jobs,
    counters,
    now,
    signal: stopping.signal,
  });
  const settings: LiveSettings = {
    latencyMs: options.latencyMs ?? 0,
    rateLimit: makeRateLimit(options.rateLimit, now),
  };

  const api = new Api({
    apiKey: identity.apiKey,
    inspect: options.inspect === true,
    accounts,
    catalog,
    faults,
    counters,
    now,
    runner,
    settings,
    uploads,
  });
  const apiServer = createPort({ counters, now, routeOf: api.routeOf, serve: api.serve });
  const uploadServer = createPort({
    counters,
    now,
    routeOf: () => 'upload-bytes',
    serve: (call) => serveUpload(call, { faults, counters, settings, uploads }),
  });
  try {
    const port = await listen(apiServer, options.port, identity.port);
    const uploadPort = await listen(uploadServer, options.uploadPort, identity.uploadPort);
    keepIdentity(dataDir, { apiKey: identity.apiKey, port, uploadPort });
    api.baseUrl = `http://${LOOPBACK}:${port}`;
    api.uploadOrigin = `http://${LOOPBACK}:${uploadPort}`;
  } catch (error) {
    apiServer.close();
    for (const file of files) file.close();
    throw error;
  }

  return {
    baseUrl: api.baseUrl,
    uploadOrigin: api.uploadOrigin,
    apiKey: identity.apiKey,
    counters,
    faults,
    accounts,
    settings,
    stop: async () => {
      stopping.abort();
      await Promise.all(
        [apiServer, uploadServer].map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              server.closeAllConnections();
            }),
        ),
      );
      for (const file of files) file.close();
    },
  };
}
