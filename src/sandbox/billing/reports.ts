import { badRequest, notFound } from '../http/errors';
import type { Service } from '../service';
import type { LedgerRun } from './accounts';
import { asMoney, CURRENCY, formatAmount } from './money';
import { readPeriod, readWhole } from './period';

const DAY_MS = 86_400_000;
const STEP_MS = { hour: 3_600_000, day: DAY_MS, week: 7 * DAY_MS } as const;
const MAX_POINTS = 2_000;

const WORKSPACE = { id: 'ws_sandbox', name: 'Sandbox' };

/** GET /api/billing/wallet */
export function walletReport({ accounts }: Service) {
  return {
    workspace: WORKSPACE,
    balance: formatAmount(accounts.balance),
    currency: CURRENCY,
    status: accounts.balance > 0 ? 'active' : 'empty',
    kind: 'play money',
    updated_at: new Date(accounts.changedAt).toISOString(),
  };
}

/** GET /api/billing/usage/summary?from&to: totals, and the same by model and mode, the most expensive first. */
export function summaryReport({ accounts, now }: Service, query: URLSearchParams) {
  const end = now() + 1;
  const period = readPeriod(query, { from: accounts.firstRunAt() ?? end - 1, to: end });
  const runs = accounts.runsIn(period);
  const groups = new Map<string, LedgerRun[]>();
  for (const run of runs) {
    const key = `${run.model}\n${run.mode}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [run]);
    else group.push(run);
  }
  const byModel = [...groups.values()]
    .map((group) => ({
      model: group[0]!.model,
      mode: group[0]!.mode,
      ...totals(group),
      median_duration_ms: median(group.map(({ duration_ms }) => duration_ms)),
    }))
    .sort((a, b) => Number(b.cost.amount) - Number(a.cost.amount));
  return {
    workspace: WORKSPACE,
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    ...totals(runs),
    by_model: byModel,
  };
}

/** GET /api/billing/usage/timeseries?granularity=hour|day|week&from&to: gapless points, oldest first. */
export function timeseriesReport({ accounts, now }: Service, query: URLSearchParams) {
  const end = now() + 1;
  const granularity = query.get('granularity') ?? 'day';
  if (!Object.hasOwn(STEP_MS, granularity)) {
    throw badRequest('invalid_query', '"granularity" must be one of hour, day, week.');
  }
  const step = STEP_MS[granularity as keyof typeof STEP_MS];
  const period = readPeriod(query, { from: end - 1 - (granularity === 'hour' ? 1 : 30) * DAY_MS, to: end });
  const first = Math.floor(period.from / step);
  const count = Math.ceil(period.to / step) - first;
  if (count > MAX_POINTS) {
    throw badRequest(
      'invalid_period',
      `This period has ${count} points; the maximum is ${MAX_POINTS}. Choose a coarser granularity.`,
    );
  }
  const buckets = Array.from({ length: count }, (): LedgerRun[] => []);
  for (const run of accounts.runsIn(period)) buckets[Math.floor(run.at / step) - first]?.push(run);
  return {
    workspace: WORKSPACE,
    granularity,
    currency: CURRENCY,
    points: buckets.map((runs, index) => {
      const { cost, ...rest } = totals(runs);
      return { start: new Date((first + index) * step).toISOString(), ...rest, amount: cost.amount };
    }),
  };
}

/** GET /api/billing/activity?limit&cursor&model: newest first, page by page. */
export function activityReport({ accounts }: Service, query: URLSearchParams) {
  const limit = readWhole(query, 'limit', 50, 500);
  const cursor = query.get('cursor');
  const page = accounts.activity({ model: query.get('model'), cursor, limit });
  if (page === undefined) throw notFound('unknown_cursor', 'There is no such cursor.');
  const nextCursor = page.hasMore ? (page.runs.at(-1)?.run_id ?? null) : null;
  const next = new URLSearchParams(query);
  if (nextCursor !== null) next.set('cursor', nextCursor);
  return {
    workspace: WORKSPACE,
    items: page.runs.map((run) => ({
      id: `act_${run.run_id.slice(4)}`,
      type: 'run',
      run_id: run.run_id,
      model: run.model,
      mode: run.mode,
      scope: run.scope ?? null,
      status: run.status,
      items: run.items,
      amount: formatAmount(run.micros),
      currency: CURRENCY,
      duration_ms: run.duration_ms,
      created_at: new Date(run.at).toISOString(),
    })),
    total: page.total,
    next_cursor: nextCursor,
    next: nextCursor === null ? null : `/api/billing/activity?${next}`,
  };
}

function totals(runs: readonly LedgerRun[]) {
  return {
    runs: runs.length,
    failed: runs.filter(({ status }) => status === 'failed').length,
    items: runs.reduce((sum, { items }) => sum + items, 0),
    cost: asMoney(runs.reduce((sum, { micros }) => sum + micros, 0)),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
