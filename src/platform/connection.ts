import type * as vscode from 'vscode';
import type { ServiceClient } from '../service/client';

/** A service the user has named: `modelBench.environments`, name → base URL. */
export interface Environment {
  readonly name: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** Environments, their keys, and the client of the active one. */
export interface Connection {
  readonly environments: readonly Environment[];
  /** The active environment, whether or not it has a key; undefined when there is none. */
  readonly active: Environment | undefined;
  /** Told when the active environment, its base URL or its key changes, also in another window. */
  readonly onDidChange: vscode.Event<void>;
  /** The client of the active environment. Throws `ServiceError` `notConnected` when there is none or it has no key. */
  client(): Promise<ServiceClient>;
  hasKey(): Promise<boolean>;
  setActive(name: string): Promise<void>;
  /** Stores an environment and its key (bound to the base URL's origin), and makes it the active one. */
  save(environment: Environment, apiKey: string): Promise<void>;
  forgetKey(): Promise<void>;
  /** A client that is not stored, to check a key before it is kept. */
  trial(environment: Environment, apiKey: string): Promise<ServiceClient>;
}
