import * as z from 'zod/mini';
import { agentMark } from '../domain/agentGrant';
import { money } from '../domain/money';
import type { Methods } from './channel';

/** The messages between the usage page and its host. */

const entry = z.object({
  at: z.optional(z.number()),
  kind: z.optional(z.string()),
  model: z.optional(z.string()),
  mode: z.optional(z.string()),
  status: z.optional(z.string()),
  money: z.optional(money),
  description: z.optional(z.string()),
  id: z.optional(z.string()),
  /** The run of the entry in this machine's history. */
  historyId: z.optional(z.string()),
  /** The agent that started the run; missing: the user did, or it is not known. */
  agent: z.optional(agentMark),
  /** A charge that no known run explains. */
  isUnexplained: z.optional(z.boolean()),
});

/** A run that may have been billed, with an unknown outcome or cost. */
const unresolvedRun = z.object({
  historyId: z.string(),
  /** The run of a job, which the history does not open: the name of the job, and its first item. */
  job: z.optional(z.string()),
  agent: z.optional(agentMark),
  at: z.number(),
  model: z.string(),
  /** The beginning of its input, as text; empty where only its job has it. */
  input: z.string(),
  /** In words. */
  state: z.string(),
  /** The estimate that counts against the budget for now. */
  reserved: z.optional(money),
  /** A charge in the activity that may be this run's. */
  proposal: z.optional(z.object({ at: z.number(), money, id: z.optional(z.string()) })),
});

const trouble = z.object({
  state: z.enum(['notConnected', 'forbidden', 'failing']),
  message: z.string(),
  /** The label of a button that calls `wayOn` with the part. */
  wayOn: z.optional(z.string()),
  /** There is a response, which `openRaw` shows. */
  answered: z.optional(z.boolean()),
});
/** The body has no recognized figures; there is a raw response. */
const notUnderstood = z.object({ state: z.literal('notUnderstood') });

/** A model's usage; a figure is missing if the service does not tell it. */
const modelUsage = z.object({
  name: z.string(),
  runs: z.optional(z.string()),
  failed: z.optional(z.string()),
  medianMs: z.optional(z.number()),
  cost: z.optional(money),
});
export type ModelUsage = z.infer<typeof modelUsage>;

/** A measure of a series by UTC day: decimal strings, for the days that have one. */
const dayChart = z.object({
  series: z.string(),
  name: z.string(),
  isMoney: z.boolean(),
  currency: z.optional(z.string()),
  days: z.readonly(z.array(z.object({ at: z.number(), amount: z.string() }))),
});
export type DayChart = z.infer<typeof dayChart>;

const usagePart = z.union([
  z.object({
    state: z.literal('ready'),
    /** Of the summary. */
    models: z.readonly(z.array(modelUsage)),
    /** Of the summary, its other values: its period and identifiers. */
    details: z.readonly(z.array(z.object({ name: z.string(), text: z.string() }))),
    /** Of the time series. */
    charts: z.readonly(z.array(dayChart)),
    /** The parts that the service reports as left out. */
    incomplete: z.optional(z.string()),
  }),
  notUnderstood,
  trouble,
]);

const activityPart = z.union([
  z.object({
    state: z.literal('ready'),
    entries: z.array(entry),
    /** Newest first; those with a proposal before the others. */
    unresolved: z.array(unresolvedRun),
    more: z.boolean(),
    /** Why entries are missing, if they cannot be loaded. */
    incomplete: z.optional(z.string()),
  }),
  notUnderstood,
  trouble,
]);

const part = z.enum(['wallet', 'summary', 'timeseries', 'activity']);

const format = z.enum(['csv', 'json']);

/** Of the days since a time. */
const query = z.object({ from: z.number() });

const budget = z.object({
  budget: z.optional(z.string()),
  currency: z.optional(z.string()),
  spent: z.string(),
  reserved: z.string(),
  others: z.readonly(z.array(money)),
});

const spent = {
  money,
  /** Decimal strings, where the service counts them. */
  runs: z.optional(z.string()),
  failed: z.optional(z.string()),
};

const balance = z.object({ money, readAt: z.number(), status: z.optional(z.string()) });
export type ShownBalance = z.infer<typeof balance>;

const overview = z.object({
  balance: z.optional(balance),
  /** In UTC, as the service counts days; `since`: its day begins at another time. Missing: no data yet. */
  today: z.optional(z.object({ ...spent, since: z.optional(z.number()) })),
  /** In 30 days; `since`: the first day with data, if that is later. */
  recent: z.optional(z.object({ ...spent, since: z.optional(z.number()) })),
  /** The last day with data, if that is before today. */
  until: z.optional(z.number()),
});

export const usageHostMethods = {
  /** The environment and spending; texts and numbers are in this locale. */
  hello: {
    params: z.null(),
    result: z.object({
      locale: z.string(),
      environment: z.optional(z.string()),
      /** The user asked to change a budget: it is to be edited at once. */
      editsBudget: z.optional(z.boolean()),
      spending: z.optional(
        z.object({
          session: budget,
          workspace: budget,
          unknownRuns: z.number(),
          cannotPay: z.boolean(),
        }),
      ),
    }),
  },
  /** The first figures; each is missing if the service does not tell it. */
  overview: { params: z.null(), result: overview },
  summary: { params: query, result: usagePart },
  timeseries: { params: query, result: usagePart },
  activity: { params: query, result: activityPart },
  /** All entries, with those of the next page. */
  moreActivity: { params: z.null(), result: activityPart },
  openRaw: { params: z.object({ part }) },
  wayOn: { params: z.object({ part }) },
  openRun: { params: z.object({ historyId: z.string() }) },
  /** Answers the proposal for a run; the activity after that. */
  matchRun: { params: z.object({ historyId: z.string(), isThisRun: z.boolean() }), result: activityPart },
  /** Asks the user for the outcome of a run, or for one of several runs. */
  setOutcome: { params: z.object({ historyIds: z.array(z.string()) }) },
  /** Sets a budget; without an amount there is none. */
  setBudget: {
    params: z.object({
      budget: z.enum(['session', 'workspace']),
      amount: z.nullable(z.number().check(z.gte(0))),
    }),
    result: z.void(),
  },
  /** Saves the activity entries with these indexes, in this order. */
  exportActivity: { params: z.object({ format, rows: z.array(z.number()) }), result: z.void() },
  /** Saves all measures by day. */
  exportDays: { params: z.object({ format }), result: z.void() },
} satisfies Methods;

export const usagePageMethods = {
  /** Another environment or key: the page reloads everything. */
  reload: { params: z.null() },
  /** The user asks for the newest numbers. */
  refresh: { params: z.null() },
  /** Runs have another outcome or cost than before. */
  activity: { params: activityPart },
  /** A newer balance was read. */
  balance: { params: balance },
  /** Only the result of `hello` has changed. */
  spent: { params: z.null() },
} satisfies Methods;

export type UsageHostMethods = typeof usageHostMethods;
export type UsagePageMethods = typeof usagePageMethods;
export type UsagePart = z.infer<typeof usagePart>;
export type ActivityPart = z.infer<typeof activityPart>;
export type ShownEntry = z.infer<typeof entry>;
export type UnresolvedRun = z.infer<typeof unresolvedRun>;
export type PartName = z.infer<typeof part>;
export type UsageOverview = z.infer<typeof overview>;
export type Hello = z.infer<UsageHostMethods['hello']['result']>;
