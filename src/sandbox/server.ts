import type { Server } from 'node:http';
import { RateLimit } from './access/rateLimit';
import { serveApi } from './api';
import { Accounts } from './billing/accounts';
import { parseAmount } from './billing/money';
import { Faults } from './faults/faults';
import { LOOPBACK, listen } from './http/loopback';
import { createPort } from './http/requestListener';
import { routeName } from './http/routes';
import { MediaStore } from './media/mediaStore';
import { serveUpload } from './media/uploadPort';
import { Uploads } from './media/uploads';
import { Catalog } from './models/catalog';
import { Counters } from './runs/counters';
import { JobStore } from './runs/jobStore';
import type { SandboxOptions } from './sandboxOptions';
import type { Service } from './service';
import { keepIdentity, readIdentity } from './store/identity';
import { VectorStore } from './vectors/vectorStore';

/** A running sandbox; its addresses have no slash at the end. */
export interface Sandbox extends Service {
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
  const { dataDir, now = Date.now, rateLimit } = options;
  const identity = readIdentity(dataDir);
  const accounts = new Accounts(dataDir, now);
  if (options.wallet !== undefined) accounts.setBalance(parseAmount(options.wallet));
  const media = new MediaStore(dataDir);
  const stopping = new AbortController();
  const service: Service = {
    apiKey: identity.apiKey,
    baseUrl: '',
    uploadOrigin: '',
    inspect: options.inspect === true,
    settings: { latencyMs: options.latencyMs ?? 0, rateLimit: rateLimit && new RateLimit(rateLimit, now) },
    accounts,
    catalog: new Catalog(options.extraModels ?? 0, options.catalogPageSize ?? 100),
    counters: new Counters(accounts.runs),
    faults: new Faults(options.faults, options.seed),
    jobs: new JobStore(dataDir),
    media,
    uploads: new Uploads(media, now),
    vectors: new VectorStore(dataDir, now),
    now,
    signal: stopping.signal,
  };
  const closeFiles = () => {
    for (const file of [accounts, media, service.vectors, service.jobs]) file.close();
  };
  const apiServer = createPort(service, routeName, serveApi);
  const uploadServer = createPort(service, () => 'upload-bytes', serveUpload);
  try {
    const port = await listen(apiServer, options.port, identity.port);
    const uploadPort = await listen(uploadServer, options.uploadPort, identity.uploadPort);
    keepIdentity(dataDir, { apiKey: identity.apiKey, port, uploadPort });
    service.baseUrl = `http://${LOOPBACK}:${port}`;
    service.uploadOrigin = `http://${LOOPBACK}:${uploadPort}`;
  } catch (error) {
    apiServer.close();
    closeFiles();
    throw error;
  }

  return {
    ...service,
    stop: async () => {
      stopping.abort();
      await Promise.all([apiServer, uploadServer].map(closeServer));
      closeFiles();
    },
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
