import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { contextKeys } from '../contributions';
import { type Environment, environmentId, SANDBOX } from '../domain/environment';
import { loggedError } from '../domain/loggedError';
import { logLine } from '../domain/logLine';
import { isOfOrigins, type OriginPattern } from '../service/allowedOrigins';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import { executeBuiltIn } from '../vscode/commands';
import { DisposableStore } from '../vscode/disposables';
import type { Log } from '../vscode/log';
import { warnOfSetting } from '../vscode/settingWarning';
import { noteStepDone } from '../vscode/walkthrough';
import { EnvironmentKeys, type MissingKey } from './environmentKeys';
import { readAllowedOrigins, readEnvironments, readProductionNames } from './environments';

const ACTIVE = 'modelBench.activeEnvironment';
/** The address of the built-in sandbox. It is one of this machine, and the settings go to others. */
const SANDBOX_ADDRESS = 'modelBench.sandboxAddress';

/** Environments (of the settings, and the sandbox), their keys (of SecretStorage) and clients, and which of them is active here. */
export class Connection implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly #listChanged = this.#store.add(new vscode.EventEmitter<void>());
  /**
   * Fires when the active environment, its base URL or its key changes, in this window or another: for another
   * environment at once, before the lookup of its key.
   */
  readonly onDidChange = this.#changed.event;
  /** Fires when the list of environments, their production marks, or a key that is not active changes. */
  readonly onDidChangeList = this.#listChanged.event;
  readonly #keys: EnvironmentKeys;
  readonly #clients: EnvironmentClients;
  #environments: readonly Environment[] = [];
  #production: ReadonlySet<string> = new Set();
  /** Undefined: any. */
  #allowed: readonly OriginPattern[] | undefined;
  /** Chosen in this window; another window's choice does not change it. */
  #chosen: string | undefined;
  #active: Environment | undefined;
  /** The active environment's key as last reported; undefined: not looked up since the environment became active. */
  #reportedKey: string | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly factory: ClientFactory,
    private readonly log: Log,
  ) {
    const reload = () => void this.#reload().catch((error: unknown) => log.error(loggedError(error)));
    this.#keys = this.#store.add(new EnvironmentKeys(context, log, reload));
    this.#clients = this.#store.add(
      new EnvironmentClients(factory, (environment) => this.#keyForRequest(environment)),
    );
    const { workspaceState, globalState } = context;
    this.#chosen = workspaceState.get<string>(ACTIVE) ?? globalState.get<string>(ACTIVE);
    this.#readSettings();
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (SETTINGS.some((name) => event.affectsConfiguration(`modelBench.${name}`))) reload();
      }),
    );
    // Not every host reports secrets and settings that another window changed: they are read again on focus.
    this.#store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && reload()));
    void this.#reportKey().catch((error: unknown) => log.error(loggedError(error)));
  }

  get environments(): readonly Environment[] {
    return this.#environments;
  }

  /** The active environment, whether or not it has a key; undefined when there is none. */
  get active(): Environment | undefined {
    return this.#active;
  }

  /** Whether the user has marked the environment as production. */
  isProduction({ name }: Pick<Environment, 'name'>): boolean {
    return this.#production.has(name);
  }

  /**
   * Where the settings list allowed base URLs, the list holds for all but the built-in sandbox, which sends nothing
   * anywhere.
   * @throws ServiceError `notConnected` when requests may not go to the environment's address
   */
  requireAllowed(environment: Environment): void {
    if (!this.#isAllowed(environment))
      throw new ServiceError('notConnected', { why: { reason: 'notAllowed', environment } });
  }

  /** An environment as the settings have it now: of this name and address, else another name of the address. */
  find(environment: Environment): Environment | undefined {
    const id = environmentId(environment);
    const sameAddress = [this.#active, ...this.#environments].find(
      (one) => one?.baseUrl === environment.baseUrl,
    );
    return this.#environments.find((one) => environmentId(one) === id) ?? sameAddress;
  }

  /** The environment of an address, the active one if it has it; a removed address is its own name. */
  at(baseUrl: string): Environment {
    return this.find({ name: this.#active?.name ?? '', baseUrl }) ?? { name: baseUrl, baseUrl };
  }

  /**
   * The client of an environment, missing: of the active one. It is open until the window closes, even if another
   * environment becomes active.
   * @throws ServiceError `notConnected` when there is no such environment any more, it is not allowed, or has no key
   */
  async client(environment = this.#active): Promise<ServiceClient> {
    return this.#clients.of((await this.#withKey(environment)).named);
  }

  /** The key, for a program that the user starts. @throws ServiceError as `client` */
  async apiKey(environment: Environment): Promise<string> {
    return (await this.#withKey(environment)).apiKey;
  }

  async #withKey(environment: Environment | undefined) {
    if (!environment) throw new ServiceError('notConnected', { why: { reason: 'noEnvironment' } });
    const named = this.find(environment);
    if (!named) throw new ServiceError('notConnected', { why: { reason: 'environmentGone', environment } });
    this.requireAllowed(named);
    const lookup = await this.#keys.of(named);
    if ('missing' in lookup) throw noKey(named, lookup.missing);
    return { named, apiKey: lookup.apiKey };
  }

  /**
   * The active environment, which has a key: a command of several steps works on it to its last step.
   * @throws ServiceError `notConnected` as `client`
   */
  async connected(): Promise<Environment> {
    const { environment, baseUrl } = await this.client();
    return { name: environment, baseUrl };
  }

  /** A function that removes the key of an environment from a text, however it is written there. */
  async redaction(environment: Environment): Promise<(text: string) => string> {
    const key = await this.#keyOf(this.find(environment) ?? environment);
    if (key === undefined) return (text) => text;
    const { withoutSecret } = await import('../service/redact');
    return (text) => withoutSecret(text, key);
  }

  /** Whether an environment, missing: the active one, has a key that was entered for its origin. */
  async hasKey(environment = this.#active): Promise<boolean> {
    return environment !== undefined && (await this.#keyOf(environment)) !== undefined;
  }

  /** The error to show when the active environment's address is no longer the one that its key was entered for. */
  async movedFromKey(): Promise<ServiceError | undefined> {
    const active = this.#active;
    const lookup = active && (await this.#keys.of(active));
    if (!lookup || !('missing' in lookup) || lookup.missing !== 'keyOfOtherOrigin') return undefined;
    return noKey(active, 'keyOfOtherOrigin');
  }

  /** Switches at once, and remembers the choice. */
  async setActive(name: string): Promise<void> {
    this.#chosen = name;
    const switched = this.#reload();
    await this.context.globalState.update(ACTIVE, name);
    await this.context.workspaceState.update(ACTIVE, name);
    await switched;
  }

  /** Stores another key of an environment, which need not be the active one. */
  async setKey(environment: Environment, apiKey: string): Promise<void> {
    await this.#keys.save(environment, apiKey);
    this.#listChanged.fire();
  }

  /** Stores an environment and its key (bound to the base URL's origin), and makes it the active one. */
  async save(environment: Environment, apiKey: string): Promise<void> {
    const isBuiltIn = this.factory.isBuiltIn?.(environment);
    // First: other windows read it when they notice the key.
    if (isBuiltIn) await this.context.globalState.update(SANDBOX_ADDRESS, environment.baseUrl);
    await this.#keys.save(environment, apiKey);
    const settings = vscode.workspace.getConfiguration('modelBench');
    const named = settings.inspect<Record<string, string>>('environments')?.globalValue ?? {};
    if (!isBuiltIn && named[environment.name] !== environment.baseUrl) {
      const next = { ...named, [environment.name]: environment.baseUrl };
      await settings.update('environments', next, vscode.ConfigurationTarget.Global);
    }
    await this.setActive(environment.name);
  }

  /** Removes the active environment's key, and those of environments that the settings no longer name. */
  async forgetKey(): Promise<void> {
    if (!this.#active) return;
    if (this.factory.isBuiltIn?.(this.#active))
      await this.context.globalState.update(SANDBOX_ADDRESS, undefined);
    await this.#keys.forget(this.#active, this.#environments);
    await this.#reload();
  }

  /** A client that is not stored, to check a key before it is kept. The caller closes it. */
  trial(environment: Environment, apiKey: string): Promise<ServiceClient> {
    return this.factory.make(environment, async () => {
      this.requireAllowed(environment);
      return apiKey;
    });
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #keyOf(environment: Environment): Promise<string | undefined> {
    const lookup = await this.#keys.of(environment);
    return 'apiKey' in lookup ? lookup.apiKey : undefined;
  }

  /** A client outlives a change of the list: each request is checked. */
  async #keyForRequest(environment: Environment): Promise<string | undefined> {
    this.requireAllowed(environment);
    return this.#keyOf(environment);
  }

  #isAllowed(environment: Environment): boolean {
    if (!this.#allowed || this.factory.isBuiltIn?.(environment)) return true;
    return isOfOrigins(environment.baseUrl, this.#allowed);
  }

  #readSettings(): void {
    const settings = vscode.workspace.getConfiguration('modelBench');
    const { environments: named, problems } = readEnvironments(settings.inspect('environments')?.globalValue);
    const sandbox = this.context.globalState.get<string>(SANDBOX_ADDRESS);
    const environments =
      sandbox === undefined
        ? named
        : [...named.filter(({ name }) => name !== SANDBOX), { name: SANDBOX, baseUrl: sandbox }];
    this.#environments = environments;
    const production = readProductionNames(settings.inspect('productionEnvironments')?.globalValue);
    this.#production = production.names;
    // Of the scope `application`: VS Code reads no workspace's value.
    const origins = readAllowedOrigins(settings.get<unknown>('allowedBaseUrls'));
    this.#allowed = origins.allowed;
    this.#warn('environments', [...problems, ...production.problems]);
    this.#warn('allowedBaseUrls', origins.problems);
    this.#active = environments.find(({ name }) => name === this.#chosen) ?? environments[0];
    // A later addition to the list does not move this window to another one.
    this.#chosen ??= this.#active?.name;
  }

  async #reload(): Promise<void> {
    this.#keys.drop();
    const [active, list] = [this.#activeAsAllowed(), this.#list()];
    this.#readSettings();
    if (this.#list() !== list) this.#listChanged.fire();
    if (this.#activeAsAllowed() !== active) {
      this.#reportedKey = undefined;
      this.#report();
    }
    await this.#reportKey();
  }

  #warn(setting: 'environments' | 'allowedBaseUrls', problems: readonly string[]): void {
    for (const problem of problems) {
      this.log.warn(logLine`An entry of modelBench.${setting} cannot be used.`);
      warnOfSetting(setting, problem);
    }
  }

  #activeAsAllowed(): string {
    return this.#active ? `${this.#isAllowed(this.#active)} ${environmentId(this.#active)}` : '';
  }

  #report(): void {
    this.#clients.rest();
    this.#changed.fire();
  }

  /** Reports a key that has changed since it was last looked up. */
  async #reportKey(): Promise<void> {
    const active = this.#active;
    const ready = () => executeBuiltIn('setContext', contextKeys.ready, true);
    const failed = (error: unknown) => {
      void ready();
      throw error;
    };
    const apiKey = active && (await this.#keyOf(active).catch(failed));
    if (active !== this.#active) return;
    // A form that does not reveal the key.
    const digest = apiKey === undefined ? 'none' : createHash('sha256').update(apiKey).digest('hex');
    const isNew = this.#reportedKey !== undefined && this.#reportedKey !== digest;
    this.#reportedKey = digest;
    await executeBuiltIn('setContext', contextKeys.hasEnvironment, this.#environments.length > 0);
    await executeBuiltIn('setContext', contextKeys.connected, apiKey !== undefined);
    await ready();
    if (isNew) this.#report();
    // Not awaited, least of all by the user of the key.
    if (apiKey !== undefined) void noteStepDone(this.context.globalState, 'connect');
  }

  #list(): string {
    return JSON.stringify([this.#environments, ...this.#production, this.#allowed]);
  }
}

/** Settings of which an environment is made. */
const SETTINGS = ['environments', 'productionEnvironments', 'allowedBaseUrls'];

function noKey({ name, baseUrl }: Environment, reason: MissingKey): ServiceError {
  return new ServiceError('notConnected', { why: { reason, environment: { name, baseUrl } } });
}

/** Makes clients; loads the service room on first use. `apiKey` is asked for each request, so that none keeps a copy. */
interface ClientFactory {
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
class EnvironmentClients implements vscode.Disposable {
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
