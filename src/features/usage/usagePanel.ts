import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { WalletState } from '../../connection/walletReader';
import { panels } from '../../contributions';
import { limitText, readLimit } from '../../domain/amounts';
import type { Environment } from '../../domain/environment';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import type { RawResponse } from '../../domain/response';
import type { UsageFindings } from '../../domain/usage';
import { openPage } from '../../platform/openPage';
import { saveTable, type Table, type TableFormat } from '../../platform/saveTable';
import { openRawResponse } from '../../platform/textEditor';
import type { Channel, Handlers } from '../../protocol/channel';
import {
  type ActivityPart,
  type DayChart,
  type Hello,
  type PartName,
  type ShownBalance,
  type UsageHostMethods,
  type UsageOverview,
  type UsagePageMethods,
  type UsagePart,
  usageHostMethods,
  usagePageMethods,
} from '../../protocol/usage';
import type { ActivityEntry } from '../../readers/activity';
import { readList } from '../../readers/list';
import { readingUsage } from '../../readers/usage';
import type { BillingQuery, ServiceClient } from '../../service/client';
import { ServiceError } from '../../service/errors';
import { Turns } from '../../service/turns';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { createWebviewPanel } from '../../vscode/messages/panels';
import { readSetting } from '../../vscode/settings';
import { errorAction, isCancelled, messageOf, runAction } from '../../vscode/showError';
import { formatMoney } from '../../wording/money';
import { formatNumber } from '../../wording/number';
import { ActivityPages } from './activityPages';
import { chartsByDay } from './byDay';
import { usageByModel } from './byModel';
import { firstRecentDay, spentLately } from './spent';

/** From a change of runs to showing it: they end in bursts. */
const RUNS_MS = 300;

/** The raw response has all. */
const MOST_DETAILS = 120;

/** The usage page: billing data of the service, read tolerantly, with the raw response of each part. */
export class UsagePanel implements vscode.Disposable {
  static create(): vscode.WebviewPanel {
    return createWebviewPanel(panels.usage, usageTitle(), vscode.ViewColumn.Active);
  }

  readonly #store = new DisposableStore();
  readonly #channel: Channel<UsageHostMethods, UsagePageMethods>;
  readonly #activity: ActivityPages;
  readonly #raw = new Map<PartName, RawResponse>();
  readonly #actions = new Map<PartName, ReturnType<typeof errorAction>>();
  #charts: readonly DayChart[] = [];
  #editsBudget = false;
  /** The environment of the shown data, until the user asks for that of another. */
  #environment: Environment | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly services: Services,
    onClosed: () => void,
  ) {
    this.#activity = new ActivityPages(services);
    this.#channel = this.#store.add(
      openPage(panel, services, {
        name: 'usage',
        icon: 'usage',
        title: usageTitle(),
        ours: usageHostMethods,
        handlers: this.#handlers(),
        theirs: usagePageMethods,
      }),
    );
    this.#environment = services.connection.active;
    // It stays with its environment; its key has changed, unless it had none.
    this.#store.add(
      services.connection.onDidChange(() => {
        const { active } = services.connection;
        this.#environment ??= active;
        if (active?.name === this.#environment?.name) this.#show(active);
      }),
    );
    this.#store.add(
      panel.onDidDispose(() => {
        this.dispose();
        onClosed();
      }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('modelBench.budget')) this.#channel.notify('spent', null);
      }),
    );
    this.#store.add({
      dispose: services.wallet.onDidChange((state) => {
        const balance = this.#isActive && this.#shownBalance(state);
        if (balance) this.#channel.notify('balance', balance);
      }),
    });
    const showRuns = this.#store.soon(RUNS_MS, () => {
      if (!this.#raw.has('activity')) return;
      this.#activity.shown().then(
        (part) => this.#channel.notify('activity', part),
        (error: unknown) => services.log.warn(loggedError(error)),
      );
    });
    void services.history().then((history) => this.#store.add({ dispose: history.onDidChange(showRuns) }));
    void services.guard().then((guard) => {
      this.#store.add({ dispose: guard.onDidChange(() => this.#channel.notify('spent', null)) });
    });
  }

  refresh(): void {
    this.#channel.notify('refresh', null);
  }

  /** Shows it again, for the environment that is active now. */
  reveal(): void {
    this.panel.reveal();
    this.#show(this.services.connection.active);
  }

  /** Edits the budget that is reached, or the first. */
  editBudget(): void {
    this.panel.reveal();
    this.#editsBudget = true;
    this.#channel.notify('spent', null);
  }

  #show(environment: Environment | undefined): void {
    this.#environment = environment;
    this.#channel.notify('reload', null);
  }

  dispose(): void {
    this.#store.dispose();
    this.panel.dispose();
  }

  #handlers(): Handlers<UsageHostMethods> {
    return {
      hello: () => this.#hello(),
      overview: (_, signal) => this.#overview(signal),
      summary: ({ from }, signal) =>
        this.#usage('summary', from, (client) =>
          orUnasked(since(from), (asked) => client.usageSummary(asked, { signal })),
        ),
      timeseries: ({ from }, signal) =>
        this.#usage('timeseries', from, (client) =>
          orUnasked(daily(from), (asked) => client.usageTimeseries(asked, { signal })),
        ),
      activity: ({ from }, signal) =>
        this.#activityPart((client) =>
          orUnasked(since(from), (asked) => this.#activity.first(client, asked, signal)),
        ),
      moreActivity: (_, signal) => this.#activityPart((client) => this.#activity.next(client, signal)),
      openRaw: async ({ part }) => {
        const raw = this.#raw.get(part);
        if (raw) await openRawResponse(raw);
      },
      wayOn: ({ part }) => runAction(this.#actions.get(part)),
      openRun: async ({ historyId }) => void (await executeCommand('modelBench.openRun', { id: historyId })),
      matchRun: async ({ historyId, isThisRun }) => {
        await this.#activity.match(historyId, isThisRun);
        return this.#activity.shown();
      },
      setOutcome: async ({ historyIds }) => {
        const [first = ''] = historyIds;
        if (historyIds.length > 1 || !(await this.#activity.setOutcomeOfRequest(first)))
          await executeCommand(
            'modelBench.settleRun',
            undefined,
            historyIds.map((id) => ({ id })),
          );
        this.#channel.notify('reload', null);
      },
      setBudget: async ({ budget, amount }) => {
        const settings = vscode.workspace.getConfiguration('modelBench.budget');
        // In the currency that it had.
        const { currency } = readLimit(readSetting(`budget.${budget}`)) ?? {};
        const value = amount === null ? undefined : limitText({ amount: String(amount), currency });
        await settings.update(budget, value, vscode.ConfigurationTarget.Global);
      },
      exportActivity: ({ format, rows }) =>
        exportActivity(
          rows.flatMap((row) => this.#activity.entries[row] ?? []),
          format,
        ),
      exportDays: ({ format }) => exportDays(this.#charts, format),
    };
  }

  async #hello(): Promise<Hello> {
    const { guard } = this.services;
    const environment = this.#environment;
    const locale = vscode.env.language;
    if (!environment) return { locale };
    const spending = await guard().then(
      (budgets) => budgets.spending(environment.baseUrl),
      (error: unknown) => {
        this.services.log.error(loggedError(error));
        return undefined;
      },
    );
    const editsBudget = this.#editsBudget;
    this.#editsBudget = false;
    return {
      locale,
      environment: environment.name,
      editsBudget,
      ...(spending && { spending: structuredClone(spending) }),
    };
  }

  /** The balance, and the money spent lately: a figure that cannot be read is left out, its reason is in the log. */
  async #overview(signal: AbortSignal): Promise<UsageOverview> {
    const environment = this.#environment;
    const client = await this.services.connection.client(environment).catch(() => undefined);
    if (!environment || !client) return {};
    const unless = (what: 'balance' | 'spending') => (error: unknown) => {
      if (!isCancelled(error)) this.services.log.warn(logLine`Usage, ${what}: ${loggedError(error)}`);
      return undefined;
    };
    const now = Date.now();
    const [balance, raw] = await Promise.all([
      this.#balance(environment, client, signal).catch(unless('balance')),
      orUnasked(daily(firstRecentDay(now)), (asked) => client.usageTimeseries(asked, { signal })).catch(
        unless('spending'),
      ),
    ]);
    return {
      ...(balance && { balance }),
      ...(raw &&
        leftOutText(raw) === undefined &&
        structuredClone(spentLately(await this.#findings(raw), now))),
    };
  }

  /** Of the active environment, the balance is that of the status bar: one reading for both. */
  async #balance(
    environment: Environment,
    client: ServiceClient,
    signal: AbortSignal,
  ): Promise<ShownBalance | undefined> {
    if (this.#isActive) return this.#shownBalance(await this.services.wallet.readNow());
    const { wallet, raw } = await client.wallet({ signal });
    this.#raw.set('wallet', raw);
    if (!wallet) return undefined;
    (await this.services.guard()).noteBalance(environment.baseUrl, wallet.balance);
    return { money: wallet.balance, readAt: Date.now(), status: wallet.status };
  }

  get #isActive(): boolean {
    return this.#environment?.name === this.services.connection.active?.name;
  }

  #shownBalance(state: WalletState): ShownBalance | undefined {
    if (state.kind === 'read' || state.kind === 'notUnderstood') this.#raw.set('wallet', state.raw);
    if (state.kind !== 'read') return undefined;
    const { wallet, readAt } = state;
    return { money: wallet.balance, readAt, status: wallet.status };
  }

  #findings({ json }: RawResponse): Promise<UsageFindings> {
    return new Turns().through(readingUsage(json));
  }

  async #usage(
    part: 'summary' | 'timeseries',
    from: number,
    ask: (client: ServiceClient) => Promise<RawResponse>,
  ): Promise<UsagePart> {
    try {
      const raw = await ask(await this.services.connection.client(this.#environment));
      this.#raw.set(part, raw);
      const findings = await this.#findings(raw);
      const { figures, series, tables, emptyLists } = findings;
      if (figures.length + series.length + tables.length + emptyLists === 0)
        return { state: 'notUnderstood' };
      const models = usageByModel(findings, (model) => this.#nameOf(model));
      const charts = part === 'timeseries' ? chartsByDay(series, from, Date.now()) : [];
      if (part === 'timeseries') this.#charts = charts;
      return structuredClone({
        state: 'ready',
        models,
        details: part === 'summary' ? figures.slice(0, MOST_DETAILS).map(detailOf) : [],
        charts,
        incomplete: leftOutText(raw),
      });
    } catch (error) {
      return this.#failure(part, error);
    }
  }

  #nameOf(model: string): string | undefined {
    const { catalog } = this.services;
    const models = this.#environment && catalog.of(this.#environment).models;
    return models?.find(({ slug, name }) => slug === model || name === model)?.name;
  }

  async #activityPart(
    ask: (client: ServiceClient) => Promise<RawResponse | undefined>,
  ): Promise<ActivityPart> {
    try {
      const raw = await ask(await this.services.connection.client(this.#environment));
      if (raw) this.#raw.set('activity', raw);
      const part = await this.#activity.shown();
      if (part.state !== 'ready') return part;
      const named = (model: string) => this.#nameOf(model) ?? model;
      const entries = part.entries.map((entry) => ({ ...entry, model: entry.model && named(entry.model) }));
      return { ...part, entries };
    } catch (error) {
      return this.#failure('activity', error);
    }
  }

  #failure(part: PartName, error: unknown): Extract<UsagePart, { message: string }> {
    if (isCancelled(error)) throw error;
    this.services.log.warn(logLine`Usage, ${part}: ${loggedError(error)}`);
    const raw = error instanceof ServiceError ? error.details.raw : undefined;
    const action = errorAction(error);
    this.#actions.set(part, action);

    if (raw) this.#raw.set(part, raw);
    else this.#raw.delete(part);
    return {
      state: errorState(error),
      message: messageOf(error),
      ...(action && { wayOn: action.title }),
      ...(raw && { answered: true }),
    };
  }
}

function since(from: number): { readonly from: string } {
  return { from: new Date(from).toISOString() };
}

function daily(from: number): BillingQuery {
  return { ...since(from), granularity: 'day' };
}

/**
 * Asks with the user's range; the interface leaves its parameters open. When the service rejects them, asks without: the
 * response is filtered.
 */
async function orUnasked(
  query: BillingQuery,
  ask: (query: BillingQuery) => Promise<RawResponse>,
): Promise<RawResponse> {
  try {
    return await ask(query);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'invalidRequest') return ask({});
    throw error;
  }
}

function detailOf({ name, cell }: UsageFindings['figures'][number]) {
  const locale = vscode.env.language;
  switch (cell.kind) {
    case 'money':
      return { name, text: formatMoney(cell.money, locale) };
    case 'number':
      return { name, text: formatNumber(cell.amount, locale) };
    case 'time':
      return {
        name,
        text: new Date(cell.at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' }),
      };
    case 'text':
      return { name, text: cell.text };
  }
}

function usageTitle(): string {
  return l10n.t('Usage and Billing');
}

function errorState(error: unknown): 'notConnected' | 'forbidden' | 'failing' {
  if (!(error instanceof ServiceError)) return 'failing';
  if (error.kind === 'notConnected') return 'notConnected';
  return error.kind === 'noPermission' || error.kind === 'badKey' ? 'forbidden' : 'failing';
}

/** That a summary or time series has only a part of its entries. */
function leftOutText({ json, headers }: RawResponse): string | undefined {
  const { items = [], total = 0, goesOn, next } = readList(json, headers) ?? {};
  const received = items.length;
  if (received > 0 && total > received)
    return l10n.t('The service sent only a part: {0} of {1} entries.', received, total);
  return received > 0 && (goesOn || next !== undefined)
    ? l10n.t('The service sent only a part: there are more than {0} entries.', received)
    : undefined;
}

async function exportActivity(entries: readonly ActivityEntry[], format: TableFormat): Promise<void> {
  const header = ['time', 'type', 'model', 'mode', 'status', 'amount', 'currency', 'id', 'description'];
  const rows = entries.map((entry) => [
    entry.at === undefined ? '' : new Date(entry.at).toISOString(),
    entry.kind,
    entry.model,
    entry.mode,
    entry.status,
    entry.money?.amount,
    entry.money?.currency,
    entry.ids[0],
    entry.description,
  ]);
  await save('activity', format, { header, rows });
}

async function exportDays(charts: readonly DayChart[], format: TableFormat): Promise<void> {
  const header = ['day', 'series', 'measure', 'value', 'currency'];
  const rows = charts.flatMap(({ series, name, currency, days }) =>
    days.map(({ at, amount }) => [new Date(at).toISOString().slice(0, 10), series, name, amount, currency]),
  );
  await save('usage', format, { header, rows });
}

function save(name: string, format: TableFormat, table: Table): Promise<void> {
  return saveTable(`${name}-${new Date().toISOString().slice(0, 10)}`, format, table);
}
