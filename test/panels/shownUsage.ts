import type {
  ActivityPart,
  Hello,
  ShownEntry,
  UnresolvedRun,
  UsageOverview,
  UsagePart,
} from '../../src/protocol/usage';

const hour = 3_600_000;
export const day = 24 * hour;
export const today = Math.floor(Date.now() / day) * day;
export const usd = (amount: string) => ({ amount, currency: 'USD' });

export const hello: Hello = {
  locale: 'en',
  environment: 'staging',
  spending: {
    session: { budget: '5', currency: 'USD', spent: '0.42', reserved: '0', others: [] },
    workspace: { currency: 'USD', spent: '1.5', reserved: '0.25', others: [] },
    unknownRuns: 0,
    cannotPay: false,
  },
};

export const nothingRead = { charts: [], models: [], details: [] };
const summary: UsagePart = {
  state: 'ready',
  ...nothingRead,
  details: [{ name: 'workspace_id', text: 'ws-1' }],
  models: [
    { name: 'Sentiment', runs: '180', failed: '6', medianMs: 280, cost: usd('12.34') },
    { name: 'Language Identification', runs: '20', failed: '0', cost: usd('0.5') },
  ],
};
/** Thirty days, 24 cents and 48 runs each. */
const days = (amount: string) =>
  Array.from({ length: 30 }, (_, at) => ({ at: today - (29 - at) * day, amount }));
export const timeseries: UsagePart = {
  state: 'ready',
  ...nothingRead,
  charts: [
    { series: 'points', name: 'cost_micros', isMoney: true, currency: 'USD', days: days('0.24') },
    { series: 'points', name: 'runs', isMoney: false, days: days('48') },
  ],
};
export const entries: ShownEntry[] = Array.from({ length: 300 }, (_, at) => ({
  at: Date.now() - at * hour * 2,
  kind: at % 10 === 9 ? 'top_up' : 'charge',
  model: at % 2 === 0 ? 'sentiment' : 'language-id',
  mode: 'execute',
  status: 'settled',
  money: usd(at % 10 === 9 ? '50' : '0.002'),
  id: `run_${at}`,
  ...(at === 0 && { historyId: 'local-1' }),
}));
export const unresolved: UnresolvedRun[] = [
  {
    ...{
      historyId: 'lost-1',
      at: Date.now() - hour,
      model: 'Slow Echo',
      input: 'hello',
      state: 'unconfirmed',
    },
    reserved: usd('0.005'),
    proposal: { at: Date.now() - hour + 60_000, money: usd('0.01'), id: 'run_x' },
  },
  { historyId: 'lost-2', at: Date.now() - 2 * hour, model: 'Echo', input: 'again', state: 'unconfirmed' },
];
export const activity: ActivityPart = { state: 'ready', entries, unresolved, more: true };

const overview: UsageOverview = {
  balance: { money: usd('42.18'), readAt: Date.now() },
  today: { money: usd('0.58'), runs: '213', failed: '0' },
  recent: { money: usd('12.4'), runs: '1680', failed: '20' },
};

export const responses = {
  overview: () => overview,
  hello: () => hello,
  summary: () => summary,
  timeseries: () => timeseries,
  activity: () => activity,
};
