import type * as vscode from 'vscode';
import { type Environment, environmentId } from '../domain/environment';
import type { ServiceClient } from '../service/client';

/** Makes clients; loads the service room on first use. `apiKey` is asked for each request, so that none keeps a copy. */
export interface ClientFactory {
  make(environment: Environment, apiKey: ApiKey): Promise<ServiceClient>;
  /** Whether the service is the extension's own: no list of the settings excludes it. */
  isBuiltIn?(environment: Environment): boolean;
  /** Called before a client is used, and again after each `rest`: the service may have to be started. */
  prepare?(environment: Environment, apiKey: ApiKey): Promise<void>;
}

type ApiKey = () => Promise<string | undefined>;

/**
 * One client for each environment, open until the window closes: a run ends in the environment where it started, even
 * if another becomes active meanwhile. A client holds no key, and an idle one no connection. Its throttle lasts as
 * long.
 */
export class EnvironmentClients implements vscode.Disposable {
  readonly #made = new Map<string, Promise<ServiceClient>>();
  readonly #prepared = new Map<string, Promise<void>>();

  constructor(
    private readonly factory: ClientFactory,
    private readonly keyOf: (environment: Environment) => Promise<string | undefined>,
  ) {}

  async of(environment: Environment): Promise<ServiceClient> {
    const id = environmentId(environment);
    const apiKey = () => this.keyOf(environment);
    await onceUnlessFailed(this.#prepared, id, async () => this.factory.prepare?.(environment, apiKey));
    return onceUnlessFailed(this.#made, id, () => this.factory.make(environment, apiKey));
  }

  /** The services are prepared again before their next use. */
  rest(): void {
    this.#prepared.clear();
  }

  dispose(): void {
    for (const made of this.#made.values())
      made.then(
        (client) => client.close(),
        () => undefined,
      );
    this.#made.clear();
  }
}

function onceUnlessFailed<T>(known: Map<string, Promise<T>>, id: string, work: () => Promise<T>): Promise<T> {
  const before = known.get(id);
  if (before !== undefined) return before;
  const started = work();
  known.set(id, started);
  started.catch(() => known.get(id) === started && known.delete(id));
  return started;
}
