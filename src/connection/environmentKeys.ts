import * as vscode from 'vscode';
import { type Environment, environmentId } from '../domain/environment';
import { loggedError } from '../domain/loggedError';
import { logLine } from '../domain/logLine';
import { DisposableStore } from '../vscode/disposables';
import type { Log } from '../vscode/log';
import { KeyChanges } from './keyChanges';

/**
 * Why an environment has no key: it was never entered, VS Code kept none, another window changed or forgot it, or its
 * address changed.
 */
export type MissingKey = 'noKey' | 'keyLost' | 'keyReplaced' | 'keyOfOtherOrigin';

/** The key of an environment, or why there is none. */
export type KeyLookup = { readonly apiKey: string } | { readonly missing: MissingKey };

const SECRET_PREFIX = 'modelBench.apiKey/';
const KEYED = 'modelBench.environmentsWithKey';

/**
 * The keys of environments in SecretStorage, each bound to the origin it was entered for. A key is read once and held
 * until something may have changed it, here or in another window: a job asks for it several times per image.
 */
export class EnvironmentKeys implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changes: KeyChanges;
  /** Keys as last read, by environment and address. */
  readonly #held = new Map<string, Promise<KeyLookup>>();
  /** Environments whose key this window had: if it is gone, another window has forgotten it. */
  readonly #had = new Set<string>();

  /** @param onChanged called when a key may have changed, in this window or another */
  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: Log,
    onChanged: () => void,
  ) {
    const changed = () => {
      this.drop();
      onChanged();
    };
    const folder = vscode.Uri.joinPath(context.globalStorageUri, 'keyChanges').fsPath;
    this.#changes = this.#store.add(new KeyChanges(folder, changed));
    this.#store.add(context.secrets.onDidChange(({ key }) => key.startsWith(SECRET_PREFIX) && changed()));
  }

  /** The key of an environment, if it was entered for the origin that the settings name now. */
  of(environment: Environment): Promise<KeyLookup> {
    const id = environmentId(environment);
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const read = this.#read(environment);
    this.#held.set(id, read);
    const dropUnlessHeld = (isHeld: boolean) => {
      if (!isHeld && this.#held.get(id) === read) this.#held.delete(id);
    };
    // Only a key with reported changes is held.
    read.then(
      (lookup) => dropUnlessHeld('apiKey' in lookup && this.#changes.isWatching),
      () => dropUnlessHeld(false),
    );
    return read;
  }

  /** The next lookup reads the key again. */
  drop(): void {
    this.#held.clear();
  }

  async save({ name, baseUrl }: Environment, apiKey: string): Promise<void> {
    // Noted first: from here on no window uses the former key, even one that is not notified of the new one.
    const savedAt = await this.#changes.note(name);
    this.drop();
    const secret = { origin: new URL(baseUrl).origin, apiKey, savedAt };
    await this.context.secrets.store(SECRET_PREFIX + name, JSON.stringify(secret));
    await this.#setKeyed([...new Set([...this.#keyed, name])]);
    this.drop();
  }

  /** Removes the key of an environment, and those of environments that the settings no longer name. */
  async forget(environment: Environment, named: readonly Environment[]): Promise<void> {
    const kept = (name: string) =>
      name !== environment.name && named.some((environment) => environment.name === name);
    for (const name of new Set([environment.name, ...this.#keyed.filter((name) => !kept(name))])) {
      await this.#changes.note(name);
      this.drop();
      await this.context.secrets.delete(SECRET_PREFIX + name);
    }
    await this.#setKeyed(this.#keyed.filter(kept));
    this.drop();
  }

  dispose(): void {
    this.#store.dispose();
    this.drop();
  }

  /** Names of environments for which a key was stored: some supported VS Code versions cannot list their secrets. */
  get #keyed(): readonly string[] {
    return this.context.globalState.get<readonly string[]>(KEYED, []);
  }

  async #setKeyed(names: readonly string[]): Promise<void> {
    await this.context.globalState.update(KEYED, names);
  }

  async #read({ name, baseUrl }: Environment): Promise<KeyLookup> {
    // Watched before it is read, so that no change after the reading is missed.
    await this.#changes.start().catch((error: unknown) => this.log.warn(loggedError(error)));
    const secret = await this.context.secrets.get(SECRET_PREFIX + name);
    if (secret === undefined)
      return { missing: this.#keyed.includes(name) && !this.#had.has(name) ? 'keyLost' : 'noKey' };
    this.#had.add(name);
    const { readStoredKey } = await import('./storedKey');
    const stored = readStoredKey(secret);
    if (!stored) {
      this.log.warn(logLine`A stored key cannot be read; it has to be entered again.`);
      return { missing: 'noKey' };
    }
    const { origin, apiKey, savedAt = 0 } = stored;
    if (savedAt < (await this.#changes.lastOf(name))) return { missing: 'keyReplaced' };
    return origin === new URL(baseUrl).origin ? { apiKey } : { missing: 'keyOfOtherOrigin' };
  }
}
