import {
  type ActivityPart,
  type DayChart,
  type Hello,
  type ShownBalance,
  type UsageHostMethods,
  type UsageOverview,
  type UsagePageMethods,
  type UsagePart,
  usageHostMethods,
  usagePageMethods,
} from '../../src/protocol/usage';
import { errorMessage } from '../shared/errorMessage';
import { Page, type PageState } from '../shared/page';
import { type BudgetName, budgetToEdit } from './cards';
import type { Units } from './texts';

/** Days. */
export const RANGES = [7, 30, 90] as const;
/** Rows of the activity that come into the page at a time. */
const MORE_ROWS = 200;

export type Pending = { readonly state: 'loading' } | { readonly state: 'broken'; readonly message: string };

interface State extends PageState {
  hello: Hello;
  overview: UsageOverview | 'loading';
  editing?: BudgetName | undefined;
  summary: UsagePart | Pending;
  timeseries: UsagePart | Pending;
  activity: ActivityPart | Pending;
  range: (typeof RANGES)[number];
  /** The chosen one; missing: the first in money, else the first. */
  chart?: DayChart;
  /** Words that the shown activity has. */
  search: string;
  /** The most rows of the activity in the page. */
  shownEntries: number;
  loading: boolean;
  loadingMore: boolean;
}

const LOADING: Pending = { state: 'loading' };

/** The usage page: the data that the host loaded, and the user's choice of view. */
export class UsagePage extends Page<State, UsagePageMethods, UsageHostMethods> {
  #loading = new AbortController();

  constructor(render: () => void) {
    const hello = { locale: document.documentElement.lang || 'en' };
    const choices = { range: 30, search: '' } as const;
    const parts = { summary: LOADING, timeseries: LOADING, activity: LOADING };
    super(
      {
        hello,
        overview: 'loading',
        ...choices,
        ...parts,
        shownEntries: MORE_ROWS,
        loading: true,
        loadingMore: false,
      },
      usagePageMethods,
      usageHostMethods,
      render,
    );
  }

  protected handlers() {
    return {
      reload: () => void this.load({ reset: true }),
      refresh: () => void this.load(),
      spent: () => void this.#loadHello(),
      activity: (activity: ActivityPart) => this.update({ activity }),
      balance: (balance: ShownBalance) => {
        const { overview } = this.state;
        if (overview !== 'loading') this.update({ overview: { ...overview, balance } });
      },
    };
  }

  /** Milliseconds since the epoch at which the chosen range begins. */
  get from(): number {
    return Date.now() - this.state.range * 86_400_000;
  }

  get units(): Units {
    const { hello, overview } = this.state;
    const { locale, spending } = hello;
    const balance = overview === 'loading' ? undefined : overview.balance;
    return { locale, currency: balance?.money.currency ?? spending?.session.currency };
  }

  get charts(): readonly DayChart[] {
    const { timeseries } = this.state;
    return timeseries.state === 'ready' ? timeseries.charts : [];
  }

  /** The chosen measure if the service tells it still. */
  get chart(): DayChart | undefined {
    const { charts } = this;
    const { chart: chosen } = this.state;
    return (
      charts.find(({ series, name }) => series === chosen?.series && name === chosen.name) ??
      charts.find(({ isMoney }) => isMoney) ??
      charts[0]
    );
  }

  /**
   * Loads everything. The shown data stays until the response has arrived, so that nothing jumps and the focus is kept,
   * unless `reset` (another environment or key).
   */
  async load({ reset = false } = {}): Promise<void> {
    this.#loading.abort();
    const loading = new AbortController();
    const { signal } = loading;
    this.#loading = loading;
    this.update({
      loading: true,
      notice: undefined,
      ...(reset && {
        overview: 'loading',
        editing: undefined,
        summary: LOADING,
        timeseries: LOADING,
        activity: LOADING,
      }),
    });
    const range = { from: this.from };
    const show = async <T>(
      call: Promise<T>,
      changes: (part: T | Pending) => Partial<State>,
    ): Promise<void> => {
      const part = await call.catch(
        (error: unknown): Pending => ({ state: 'broken', message: errorMessage(error) }),
      );
      if (!signal.aborted) this.update(changes(part));
    };
    await Promise.all([
      this.#loadHello(),
      // Its figures are missing if they cannot be read: the parts below say why.
      this.host.call('overview', null, signal).then(
        (overview) => !signal.aborted && this.update({ overview }),
        () => !signal.aborted && this.update({ overview: {} }),
      ),
      show(this.host.call('summary', range, signal), (summary) => ({ summary })),
      show(this.host.call('timeseries', range, signal), (timeseries) => ({ timeseries })),
      show(this.host.call('activity', range, signal), (activity) => ({ activity })),
    ]);
    if (!signal.aborted) this.update({ loading: false });
  }

  /** Answers whether a charge of the activity is that of a run. */
  async matchRun(historyId: string, isThisRun: boolean): Promise<void> {
    const part = await this.ask(this.host.call('matchRun', { historyId, isThisRun }));
    if (part) this.update({ activity: part });
    await this.#loadHello();
  }

  editBudget(editing: BudgetName): void {
    this.update({ editing });
    this.afterRender(() => document.querySelector<HTMLInputElement>('#budget-amount')?.select());
  }

  endEditing(budget: BudgetName): void {
    this.update({ editing: undefined });
    this.afterRender(() => document.getElementById(`edit-${budget}`)?.focus());
  }

  async setBudget(budget: BudgetName, amount: number | null): Promise<void> {
    await this.ask(this.host.call('setBudget', { budget, amount }));
    await this.#loadHello();
    this.endEditing(budget);
  }

  /** @param rows entries that pass the search; those beyond the shown ones come first */
  async loadMore(rows: number): Promise<void> {
    const { shownEntries } = this.state;
    this.update({ shownEntries: shownEntries + MORE_ROWS });
    if (rows > shownEntries) return;
    this.update({ loadingMore: true });
    const { signal } = this.#loading;
    const part = await this.ask(this.host.call('moreActivity', null, signal));
    const { activity } = this.state;
    // If loading more failed, the shown rows stay and the message comes below the table.
    if (part && !signal.aborted) {
      if (part.state === 'ready' || activity.state !== 'ready') this.update({ activity: part });
      else if ('message' in part) this.update({ activity: { ...activity, incomplete: part.message } });
    }
    this.update({ loadingMore: false });
  }

  async #loadHello(): Promise<void> {
    const hello = await this.ask(this.host.call('hello', null));
    if (!hello) return;
    document.documentElement.lang = hello.locale;
    this.update({ hello });
    if (hello.editsBudget && hello.spending) this.editBudget(budgetToEdit(hello.spending));
  }
}
