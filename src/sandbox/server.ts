import type { Server } from 'node:http';
import { serveApi } from './api';
import { LOOPBACK, listen } from './http/loopback';
import { createPort } from './http/requestListener';
import { serveUpload } from './media/uploadPort';
import type { SandboxOptions } from './sandboxOptions';
import { openService, type Service } from './service';
import { keepIdentity, readIdentity } from './store/identity';

/** A running sandbox; its addresses have no slash at the end. */
export interface Sandbox extends Service {
  readonly servers: { readonly api: Server; readonly uploads: Server };
  /** Ends every connection and closes the database. */
  stop(): Promise<void>;
}

/** Starts the service on two loopback ports. @throws {DataProblem} */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir } = options;
  const identity = readIdentity(dataDir);
  const service = openService(options, identity.apiKey);
  const apiServer = createPort(service, serveApi);
  const uploadServer = createPort(service, serveUpload);
  try {
    const port = await listen(apiServer, options.port, identity.port);
    const uploadPort = await listen(uploadServer, options.uploadPort, identity.uploadPort);
    keepIdentity(dataDir, { apiKey: identity.apiKey, port, uploadPort });
    service.baseUrl = `http://${LOOPBACK}:${port}`;
    service.uploadOrigin = `http://${LOOPBACK}:${uploadPort}`;
  } catch (error) {
    apiServer.close();
    service.database.close();
    throw error;
  }

  return {
    ...service,
    servers: { api: apiServer, uploads: uploadServer },
    stop: async () => {
      service.stopping.abort();
      await Promise.all([apiServer, uploadServer].map(closeServer));
      service.database.close();
    },
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
