import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import type { ModelSummary } from '../../domain/model';
import type { Estimates } from '../../runs/estimates/estimates';
import type { Services } from '../../services';
import { Owner } from '../../vscode/disposables';
import { once } from '../../vscode/once';
import type { PastRuns } from './nodes';

/** Runs that “last run” looks at. */
const MOST_RECENT_RUNS = 500;

/** The history's facts about models. The catalog does not wait for them, and works without those that cannot be read. */
export class PastRunsReader extends Owner {
  readonly #changed = this.store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #estimates: Estimates | undefined;
  readonly follow = once(() => this.#read());

  constructor(private readonly services: Services) {
    super();
  }

  of({ slug }: ModelSummary): PastRuns | undefined {
    const baseUrl = this.services.connection.active?.baseUrl;
    if (!this.#estimates || baseUrl === undefined) return undefined;
    const what = { baseUrl, model: slug };
    return { estimate: this.#estimates.of(what), text: this.#estimates.text(what) };
  }

  /** Slugs of the models that were run here, the last first. */
  async recent(): Promise<readonly string[]> {
    const baseUrl = this.services.connection.active?.baseUrl;
    const { runs } = await this.services.history();
    const here = runs.list({ limit: MOST_RECENT_RUNS }).filter((run) => run.baseUrl === baseUrl);
    return [...new Set(here.map(({ draft }) => draft.model))];
  }

  async #read(): Promise<void> {
    try {
      this.#estimates = await this.services.estimates();
      this.store.add({ dispose: this.#estimates.onDidChange(() => this.#changed.fire()) });
      this.#changed.fire();
    } catch (error) {
      this.services.log.warn(logLine`No estimates: ${loggedError(error)}`);
    }
  }
}
