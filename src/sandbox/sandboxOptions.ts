import type { ServerResponse } from 'node:http';
import type { JsonResponse } from './http/jsonResponse';
import type { RouteName } from './http/routes';

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
