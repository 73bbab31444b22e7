import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { contextKeys } from '../contributions';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import { executeBuiltIn } from './commands';
import { DisposableStore } from './disposables';
import { EnvironmentKeys, type MissingKey } from './environmentKeys';
import { type Environment, readEnvironments } from './environments';

/** Makes clients; loads the service room on first use. `apiKey` is asked for each request, so that none keeps a copy. */
export type ClientFactory = (
  environment: Environment,
  apiKey: () => Promise<string | undefined>,
) => Promise<ServiceClient>;

const ACTIVE = 'modelBench.activeEnvironment';

/** Environments (of the settings), their keys (of SecretStorage), and the client of the active one. */
export class Connection implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  /** Fires when the active environment, its base URL or its key changes, also in another window. */
  readonly onDidChange = this.#changed.event;
  #environments: readonly Environment[] = [];
  #client: { key: string; made: Promise<ServiceClient> } | undefined;
  readonly #keys: EnvironmentKeys;
  /** The state at the last notification: saving changes settings, secrets and the choice, and is reported once. */
  #notified: string | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly makeClient: ClientFactory,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const reload = () => void this.#reload().catch((error: unknown) => log.error(String(error)));
    this.#keys = this.#store.add(new EnvironmentKeys(context, log, reload));
    this.#readSettings();
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('modelBench.environments')) reload();
      }),
    );
    // Not every host reports secrets and settings that another window changed: they are read again on focus.
    this.#store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && reload()));
    this.#store.add({ dispose: () => this.#dropClient() });
    void this.#start();
  }

  get environments(): readonly Environment[] {
    return this.#environments;
  }

  /** The active environment, whether or not it has a key; undefined when there is none. */
  get active(): Environment | undefined {
    const { workspaceState, globalState } = this.context;
    const name = workspaceState.get<string>(ACTIVE) ?? globalState.get<string>(ACTIVE);
    return this.#environments.find((environment) => environment.name === name) ?? this.#environments[0];
  }

  /** The client of the active environment. Throws `ServiceError` `notConnected` when there is none or it has no key. */
  async client(): Promise<ServiceClient> {
    const { active } = this;
    if (!active) throw new ServiceError('notConnected', { why: { reason: 'noEnvironment' } });
    const lookup = await this.#keys.of(active);
    if ('missing' in lookup) throw noKey(active, lookup.missing);
    const key = `${active.name}\n${active.baseUrl}`;
    if (this.#client?.key !== key) {
      this.#dropClient();
      this.#client = { key, made: this.makeClient(active, () => this.#keyOf(active)) };
    }
    return this.#client.made;
  }

  /** Whether the active environment has a key that was entered for its origin. */
  async hasKey(): Promise<boolean> {
    return this.active !== undefined && (await this.#keyOf(this.active)) !== undefined;
  }

  /** The error to show when the active environment's address is no longer the one that its key was entered for. */
  async movedFromKey(): Promise<ServiceError | undefined> {
    const { active } = this;
    const lookup = active && (await this.#keys.of(active));
    if (!lookup || !('missing' in lookup) || lookup.missing !== 'keyOfOtherOrigin') return undefined;
    return noKey(active, 'keyOfOtherOrigin');
  }

  async setActive(name: string): Promise<void> {
    await this.context.globalState.update(ACTIVE, name);
    await this.context.workspaceState.update(ACTIVE, name);
    await this.#reload();
  }

  /** Stores an environment and its key (bound to the base URL's origin), and makes it the active one. */
  async save(environment: Environment, apiKey: string): Promise<void> {
    await this.#keys.save(environment, apiKey);
    const settings = vscode.workspace.getConfiguration('modelBench');
    const named = settings.inspect<Record<string, string>>('environments')?.globalValue ?? {};
    if (named[environment.name] !== environment.baseUrl) {
      const next = { ...named, [environment.name]: environment.baseUrl };
      await settings.update('environments', next, vscode.ConfigurationTarget.Global);
    }
    this.#readSettings();
    await this.setActive(environment.name);
  }

  /** Removes the active environment's key, and those of environments that the settings no longer name. */
  async forgetKey(): Promise<void> {
    if (!this.active) return;
    await this.#keys.forget(this.active, this.#environments);
    await this.#reload();
  }

  /** A client that is not stored, to check a key before it is kept. The caller closes it. */
  trial(environment: Environment, apiKey: string): Promise<ServiceClient> {
    return this.makeClient(environment, async () => apiKey);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #keyOf(environment: Environment): Promise<string | undefined> {
    const lookup = await this.#keys.of(environment);
    return 'apiKey' in lookup ? lookup.apiKey : undefined;
  }

  async #start(): Promise<void> {
    this.#notified = await this.#state();
    await this.#setContext();
  }

  #readSettings(): void {
    const setting = vscode.workspace.getConfiguration('modelBench').inspect('environments')?.globalValue;
    const { environments, problems } = readEnvironments(setting);
    this.#environments = environments;
    for (const problem of problems) this.log.warn(problem);
  }

  async #reload(): Promise<void> {
    this.#keys.drop();
    this.#readSettings();
    const now = await this.#state();
    if (now === this.#notified) return;
    this.#notified = now;
    this.#dropClient();
    await this.#setContext();
    this.#changed.fire();
  }

  /** All that a client is made of, in a form that does not reveal a key. */
  async #state(): Promise<string> {
    const { active } = this;
    const apiKey = active && (await this.#keyOf(active));
    const digest = createHash('sha256')
      .update(apiKey ?? '')
      .digest('hex');
    return JSON.stringify([this.#environments, active, apiKey !== undefined, digest]);
  }

  #dropClient(): void {
    void this.#client?.made.then(
      (client) => client.close(),
      () => undefined,
    );
    this.#client = undefined;
  }

  async #setContext(): Promise<void> {
    await executeBuiltIn('setContext', contextKeys.hasEnvironment, this.#environments.length > 0);
    await executeBuiltIn('setContext', contextKeys.connected, await this.hasKey());
  }
}

function noKey({ name, baseUrl }: Environment, reason: MissingKey): ServiceError {
  return new ServiceError('notConnected', { why: { reason, environment: { name, baseUrl } } });
}
