import {
  type ComparedRuns,
  type CompareHostMethods,
  type ComparePageMethods,
  compareHostMethods,
  comparePageMethods,
  type RunComparison,
} from '../../src/protocol/compare';
import type { ResultView } from '../../src/results/resultView';
import { pageState } from '../shared/host';
import { Page, type PageState } from '../shared/page';

interface State extends PageState {
  comparison?: RunComparison;
  /** By the ID of their run. */
  results: Readonly<Record<string, ResultView>>;
  showsSame: boolean;
}

/** The page of two runs side by side. */
export class ComparePage extends Page<State, ComparePageMethods, CompareHostMethods> {
  constructor(render: () => void) {
    super({ results: {}, showsSame: false }, comparePageMethods, compareHostMethods, render);
  }

  protected handlers() {
    return { changed: () => void this.start() };
  }

  async start(): Promise<void> {
    const comparison = await this.ask(this.host.call('ready', null));
    if (!comparison) return;
    const { left, right } = comparison;
    pageState.set({ left: left.id, right: right.id } satisfies ComparedRuns);
    this.update({ comparison });
    this.loadResults();
  }

  /** Loads the views of both results; called again after one of them was chosen. */
  loadResults(): void {
    const { left, right } = this.state.comparison ?? {};
    for (const run of [left, right]) if (run?.hasResult) void this.#load(run.id);
  }

  async #load(result: string): Promise<void> {
    const view = await this.ask(this.host.call('resultView', { result }));
    if (view) this.update({ results: { ...this.state.results, [result]: view } });
  }
}
