import type { Environment } from '../domain/environment';
import type { Money } from '../domain/money';
import type { ResultMedium } from '../experiments/results/resultMedia';
import type { Estimates } from '../runs/estimates/estimates';
import type { Runs } from '../runs/perform';
import type { ServiceClient } from '../service/client';
import type { Store } from '../store/store';

/** The services that tools act on: a window's, or those of one process in a terminal. */
export interface AgentHouse {
  /** The environments that agents may use, the usual one first: those of grants, else the active one. */
  environments(): Promise<readonly Environment[]>;
  client(environment: Environment): Promise<ServiceClient>;
  /** A function that removes the API key from a text, however it is written. */
  redaction(environment: Environment): Promise<(text: string) => string>;
  /** Absolute paths: workspace folders, worktrees of their repositories, folders of `--root`. The first is the main one. */
  folders(): Promise<readonly string[]>;
  store(): Promise<Store>;
  estimates(): Promise<Estimates>;
  /** Runs that are paid from `RunOrder.agent` and `JobRunOrder.agent`. */
  runs(): Promise<Runs>;
  /** Fetches a file that a result names by address, without the key; missing: the user has not agreed to that. */
  mediaOf(
    environment: Environment,
  ): ((address: string, signal: AbortSignal) => Promise<ResultMedium>) | undefined;
  /** Absolute path of a private folder for reports and pictures; it may be missing. */
  readonly reports: string;
  /** Of a process with `--max-cost`, a canonical amount: its agent may spend this, beside the grants of people. */
  readonly cap?: Money;
  /** Before a paid call of a process with a cap: gives the grant of that cap. */
  permit?(environment: Environment, client: string): Promise<void>;
  /** The environment that a file names does not count: the command line has only its own. */
  readonly ignoresNames?: boolean;
  readonly locale?: string;
}
