import type { ServerResponse } from 'node:http';
import { Accounts } from './billing/accounts';
import { type JsonResponse, send } from './http/jsonResponse';
import type { RouteName } from './http/routes';
import { MediaStore } from './media/mediaStore';
import { Uploads } from './media/uploads';
import { JobStore } from './runs/jobStore';
import { openDatabase } from './store/openDatabase';
import { VectorStore } from './vectors/vectorStore';

/** An authenticated request. */
export interface RouteCall {
  readonly route: RouteName;
  readonly model?: unknown;
  readonly mode?: unknown;
}

/** How a sandbox is started, by main.ts or by a test. */
export interface SandboxOptions {
  /** Folder of key, ports, media, vectors and billing; created if it does not exist. */
  readonly dataDir: string;
  /** Port of the API; 0 lets the system choose. Missing: the port used last if it is free, else 0. */
  readonly port?: number;
  /** Port of the uploads, as `port`. */
  readonly uploadPort?: number;
  /** Milliseconds since the epoch; tests may use their own clock. */
  readonly now?: () => number;
  /** Executes a request and responds to it; tests count requests here, and make some fail. */
  readonly respond?: (
    call: RouteCall,
    response: ServerResponse,
    execute: () => JsonResponse | Promise<JsonResponse>,
  ) => Promise<void>;
}

/** The parts of one sandbox, as its routes use them. */
export type Service = ReturnType<typeof openService>;

/** Opens the data of a folder. @throws {DataProblem} data that cannot be used */
export function openService(options: SandboxOptions, apiKey: string) {
  const { dataDir, now = Date.now } = options;
  const respond: NonNullable<SandboxOptions['respond']> = async (_call, response, execute) =>
    send(response, await execute());
  const { database, setAside } = openDatabase(dataDir);
  const media = new MediaStore(dataDir, database);
  return {
    database,
    /** Where a damaged database was moved at the start. */
    setAside,
    apiKey,
    // Set when the ports are known.
    baseUrl: '',
    uploadOrigin: '',
    respond: options.respond ?? respond,
    accounts: new Accounts(database, now),
    jobs: new JobStore(database),
    media,
    uploads: new Uploads(media, now),
    vectors: new VectorStore(database, now),
    now,
    stopping: new AbortController(),
  };
}
