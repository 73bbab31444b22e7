import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { contextKeys } from '../contributions';
import { parseBaseUrl } from '../service/baseUrl';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import { executeBuiltIn } from './commands';
import { DisposableStore } from './disposables';
import { KeyChanges } from './keyChanges';

/** A service the user has named: `modelBench.environments`, name → base URL. */
export interface Environment {
  readonly name: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** Environments, their keys, and the client of the active one. */
export interface Connection extends vscode.Disposable {
  readonly environments: readonly Environment[];
  /** The active environment, whether or not it has a key; undefined when there is none. */
  readonly active: Environment | undefined;
  /** Told when the active environment, its base URL or its key changes, also in another window. */
  readonly onDidChange: vscode.Event<void>;
  /** The client of the active environment. Throws `ServiceError` `notConnected` when there is none or it has no key. */
  client(): Promise<ServiceClient>;
  /** Whether the active environment has a key that was entered for its origin. */
  hasKey(): Promise<boolean>;
  /** Told in words when the active environment's address is no longer the one that its key was entered for. */
  movedFromKey(): Promise<ServiceError | undefined>;
  setActive(name: string): Promise<void>;
  /** Stores an environment and its key (bound to the base URL's origin), and makes it the active one. */
  save(environment: Environment, apiKey: string): Promise<void>;
  /** Removes the active environment's key, and those of environments that the settings do not name any more. */
  forgetKey(): Promise<void>;
  /** A client that is not stored, to check a key before it is kept. The caller closes it. */
  trial(environment: Environment, apiKey: string): Promise<ServiceClient>;
}

/** Makes clients; loads the service room on first use. `apiKey` is asked for each request, so that none keeps a copy. */
export type ClientFactory = (
  environment: Environment,
  apiKey: () => Promise<string | undefined>,
) => Promise<ServiceClient>;

const SECRET_PREFIX = 'modelBench.apiKey/';
const ACTIVE = 'modelBench.activeEnvironment';
const KEYED = 'modelBench.environmentsWithKey';

/** Reads environments from the user's settings only: a workspace must not point a key elsewhere. */
export function readEnvironments(setting: unknown): { environments: Environment[]; problems: string[] } {
  const environments: Environment[] = [];
  const problems: string[] = [];
  if (setting === undefined || setting === null) return { environments, problems };
  if (typeof setting !== 'object' || Array.isArray(setting)) {
    return {
      environments,
      problems: [vscode.l10n.t('modelBench.environments must be an object of names and base URLs.')],
    };
  }
  for (const [name, value] of Object.entries(setting)) {
    const read =
      typeof value === 'string'
        ? parseBaseUrl(value)
        : { problem: vscode.l10n.t('The base URL must be a text.') };
    if ('problem' in read) problems.push(`modelBench.environments, “${name}”: ${read.problem}`);
    else environments.push({ name, baseUrl: read.baseUrl });
  }
  return { environments, problems };
}

class SettingsConnection implements Connection {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #environments: Environment[] = [];
  #client: { key: string; made: Promise<ServiceClient> } | undefined;
  readonly #changes: KeyChanges;
  /** What the last change was told of; saving touches settings, secrets and the choice, and is told once. */
  #told: string | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly makeClient: ClientFactory,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#readSettings();
    const folder = vscode.Uri.joinPath(context.globalStorageUri, 'keyChanges').fsPath;
    this.#changes = this.#store.add(new KeyChanges(folder, () => void this.#reload()));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('modelBench.environments')) void this.#reload();
      }),
    );
    this.#store.add(
      context.secrets.onDidChange(({ key }) => {
        if (this.active && key === SECRET_PREFIX + this.active.name) void this.#reload();
      }),
    );
    // Not every host tells of secrets and settings that another window changed; whoever comes back here finds them.
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.#reload();
      }),
    );
    this.#store.add({ dispose: () => this.#dropClient() });
    void this.#start();
  }

  get environments(): readonly Environment[] {
    return this.#environments;
  }

  get active(): Environment | undefined {
    const { workspaceState, globalState } = this.context;
    const name = workspaceState.get<string>(ACTIVE) ?? globalState.get<string>(ACTIVE);
    return this.#environments.find((environment) => environment.name === name) ?? this.#environments[0];
  }

  async client(): Promise<ServiceClient> {
    const { active } = this;
    if (!active) {
      throw new ServiceError('notConnected', vscode.l10n.t('Connect to a service first.'), 'connect');
    }
    const { apiKey, missing = 'none' } = await this.#stored(active);
    if (apiKey === undefined) throw noKey(active, missing);
    const key = `${active.name}\n${active.baseUrl}`;
    if (this.#client?.key !== key) {
      this.#dropClient();
      this.#client = { key, made: this.makeClient(active, () => this.#keyOf(active)) };
    }
    return this.#client.made;
  }

  async hasKey(): Promise<boolean> {
    return this.active !== undefined && (await this.#keyOf(this.active)) !== undefined;
  }

  async movedFromKey(): Promise<ServiceError | undefined> {
    const { active } = this;
    if (!active || (await this.#stored(active)).missing !== 'otherOrigin') return undefined;
    return noKey(active, 'otherOrigin');
  }

  async setActive(name: string): Promise<void> {
    await this.context.globalState.update(ACTIVE, name);
    await this.context.workspaceState.update(ACTIVE, name);
    await this.#reload();
  }

  async save(environment: Environment, apiKey: string): Promise<void> {
    // Noted first: from here on no window uses the former key, also one that does not hear of the new one.
    const savedAt = await this.#changes.note(environment.name);
    const secret = { origin: new URL(environment.baseUrl).origin, apiKey, savedAt };
    await this.context.secrets.store(SECRET_PREFIX + environment.name, JSON.stringify(secret));
    await this.context.globalState.update(KEYED, [...new Set([...this.#keyed, environment.name])]);
    const settings = vscode.workspace.getConfiguration('modelBench');
    const named = settings.inspect<Record<string, string>>('environments')?.globalValue ?? {};
    if (named[environment.name] !== environment.baseUrl) {
      const next = { ...named, [environment.name]: environment.baseUrl };
      await settings.update('environments', next, vscode.ConfigurationTarget.Global);
    }
    this.#readSettings();
    await this.setActive(environment.name);
  }

  async forgetKey(): Promise<void> {
    if (!this.active) return;
    const named = new Set(this.#environments.map(({ name }) => name));
    const left = this.#keyed.filter((name) => !named.has(name));
    for (const name of [this.active.name, ...left]) {
      await this.#changes.note(name);
      await this.context.secrets.delete(SECRET_PREFIX + name);
    }
    await this.context.globalState.update(
      KEYED,
      this.#keyed.filter((name) => named.has(name) && name !== this.active?.name),
    );
    await this.#reload();
  }

  trial(environment: Environment, apiKey: string): Promise<ServiceClient> {
    return this.makeClient(environment, async () => apiKey);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Names of environments for which a key was stored: not every VS Code promised can list its secrets. */
  get #keyed(): readonly string[] {
    return this.context.globalState.get<readonly string[]>(KEYED, []);
  }

  async #keyOf(environment: Environment): Promise<string | undefined> {
    return (await this.#stored(environment)).apiKey;
  }

  /**
   * The key of an environment, if it was entered for the origin that the settings name now.
   * @returns `missing`: why there is none
   */
  async #stored(environment: Environment): Promise<{ apiKey?: string; missing?: MissingKey }> {
    const secret = await this.context.secrets.get(SECRET_PREFIX + environment.name);
    if (secret === undefined) return {};
    const { readStoredKey } = await import('./storedKey');
    const stored = readStoredKey(secret);
    if (!stored) {
      this.log.warn(`The stored key of "${environment.name}" cannot be read; it has to be entered again.`);
      return {};
    }
    const { origin, apiKey, savedAt = 0 } = stored;
    if (savedAt < (await this.#changes.lastOf(environment.name))) return { missing: 'outdated' };
    return origin === new URL(environment.baseUrl).origin ? { apiKey } : { missing: 'otherOrigin' };
  }

  async #start(): Promise<void> {
    await this.#changes.start().catch((error: unknown) => this.log.warn(String(error)));
    this.#told = await this.#state();
    await this.#setContext();
  }

  #readSettings(): void {
    const setting = vscode.workspace.getConfiguration('modelBench').inspect('environments')?.globalValue;
    const { environments, problems } = readEnvironments(setting);
    this.#environments = environments;
    for (const problem of problems) this.log.warn(problem);
  }

  async #reload(): Promise<void> {
    this.#readSettings();
    const now = await this.#state();
    if (now === this.#told) return;
    this.#told = now;
    this.#dropClient();
    await this.#setContext();
    this.#changed.fire();
  }

  /** All that a client is made of, in a form that gives no key away. */
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

/** Why an environment has no key: none was entered, or another window changed or forgot it, or its address did change. */
type MissingKey = 'none' | 'outdated' | 'otherOrigin';

function noKey({ name, baseUrl }: Environment, missing: MissingKey): ServiceError {
  const sentences: Record<MissingKey, string> = {
    none: vscode.l10n.t('No API key is stored for “{0}” at {1}.', name, baseUrl),
    outdated: vscode.l10n.t(
      'The API key of “{0}” was changed or forgotten in another window. Reload this window, or enter the key.',
      name,
    ),
    otherOrigin: vscode.l10n.t(
      'The API key of “{0}” was entered for another address, and is not sent to {1}. Enter the key for this address.',
      name,
      baseUrl,
    ),
  };
  return new ServiceError('notConnected', sentences[missing], 'setApiKey');
}

/** The connection over settings (environments), SecretStorage (keys) and the last choice. */
export function createConnection(
  context: vscode.ExtensionContext,
  makeClient: ClientFactory,
  log: vscode.LogOutputChannel,
): Connection {
  return new SettingsConnection(context, makeClient, log);
}
