import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { serveApi } from './api';
import { LOOPBACK, listen } from './http/loopback';
import { createPort } from './http/requestListener';
import { serveUpload } from './media/uploadPort';
import { openService, type SandboxOptions, type Service } from './service';
import { makeFolder, readJsonFile, replaceFile } from './store/privateFiles';

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

/** The values that a sandbox keeps across restarts, so that a client's saved environment keeps working. */
interface Identity {
  readonly apiKey: string;
  readonly port: number;
  readonly uploadPort: number;
}

const path = (dataDir: string) => join(dataDir, 'identity.json');

/** The identity of a data folder; a new key and ports 0 when it has none yet. */
function readIdentity(dataDir: string): Identity {
  makeFolder(dataDir);
  const { apiKey, port, uploadPort } = readJsonFile(path(dataDir)) ?? {};
  if (typeof apiKey === 'string' && apiKey.length >= 20) {
    return { apiKey, port: asPort(port), uploadPort: asPort(uploadPort) };
  }
  return { apiKey: `sandbox_${randomBytes(24).toString('base64url')}`, port: 0, uploadPort: 0 };
}

const keepIdentity = (dataDir: string, identity: Identity) =>
  replaceFile(path(dataDir), JSON.stringify(identity));

const asPort = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65536 ? value : 0;
