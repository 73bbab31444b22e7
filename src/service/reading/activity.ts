import type { Money } from '../../domain/money';
import { isObject, type UnknownObject } from '../../domain/value';
import { cellOf, readTime, withCurrency } from './billingValues';
import { readCost } from './cost';
import { readList } from './list';
import { currencyOf } from './money';
import { asText, pick, pickText } from './records';

// Activity: "query parameters and body: not shown" (section 4). A list of any kind, each entry read for what it has.

export interface ActivityEntry {
  /** Milliseconds since the epoch. */
  readonly at?: number;
  /** In the service's words: "run", "top-up". */
  readonly kind?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly status?: string;
  /** With its sign, as in the body. */
  readonly money?: Money;
  readonly description?: string;
  /** Every identifier in the entry that may be a run's, the likelier first. */
  readonly ids: readonly string[];
  readonly raw: unknown;
}

export interface ReadActivity {
  readonly entries: readonly ActivityEntry[];
  /** The address of the next page, as in the body or the Link header. */
  readonly next?: string;
  /** There are more entries, but no address of them. */
  readonly goesOn: boolean;
  /** Number of items that are not entries of a known kind; the raw response has them. */
  readonly notUnderstood: number;
}

const listNames = ['activity', 'activities', 'events', 'transactions', 'history', 'logs', 'usage', 'runs'];

/** The entries of a body, or undefined when it has no list of a known kind, or nothing in it is an entry. */
export function readActivity(
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): ReadActivity | undefined {
  const currency = isObject(json) ? currencyOf(json) : undefined;
  const list = readList(json, headers) ?? readList(renamed(json), headers);
  if (!list) return undefined;
  const records = list.items.filter(isObject);
  const notUnderstood = list.items.length - records.length;
  if (records.length === 0 && notUnderstood > 0) return undefined;
  const entries = records.map((item) => readEntry(withCurrency(item, currency), item));
  return { entries, notUnderstood, goesOn: list.goesOn, ...(list.next !== undefined && { next: list.next }) };
}

/** A body with its activity list under a name that `readList` knows. */
function renamed(json: unknown, depth = 0): unknown {
  if (!isObject(json) || depth > 1) return undefined;
  for (const name of listNames) {
    const value = pick(json, name);
    if (Array.isArray(value)) return { ...json, items: value };
    const inner = renamed(value, depth + 1);
    if (inner !== undefined) return inner;
  }
  return renamed(pick(json, 'data', 'result', 'response'), depth + 1);
}

function readEntry(record: UnknownObject, raw: UnknownObject): ActivityEntry {
  const run = pick(record, 'run', 'execution', 'job', 'resource', 'details', 'metadata');
  const inner = isObject(run) ? run : {};
  const text = (...names: readonly string[]) => pickText(record, ...names) ?? pickText(inner, ...names);
  return {
    at: timeIn(record) ?? timeIn(inner),
    kind: pickText(record, 'type', 'kind', 'event', 'eventtype', 'action', 'category', 'entrytype'),
    model: modelIn(record) ?? modelIn(inner),
    mode: text('mode', 'operation'),
    status: text('status', 'state', 'outcome', 'result'),
    money: moneyIn(record) ?? moneyIn(inner),
    description: pickText(record, 'description', 'message', 'title', 'note', 'memo', 'summary', 'reason'),
    ids: identifiers(record, inner),
    raw,
  };
}

function timeIn(record: UnknownObject): number | undefined {
  const names = [
    'createdat',
    'created',
    'timestamp',
    'time',
    'at',
    'date',
    'occurredat',
    'startedat',
    'finishedat',
    'ts',
  ];
  return names.map((name) => readTime(pick(record, name))).find((at) => at !== undefined);
}

function modelIn(record: UnknownObject): string | undefined {
  const model = pick(record, 'model', 'modelslug', 'modelname', 'modelid', 'slug');
  return isObject(model) ? pickText(model, 'slug', 'name', 'id') : asText(model);
}

/** Its own cost; else the first amount that is not a balance (`balance_after`). */
function moneyIn(record: UnknownObject): Money | undefined {
  const cost = readCost(record);
  if (cost) return cost;
  for (const key of Object.keys(record)) {
    if (/balance|limit|budget/i.test(key)) continue;
    const cell = cellOf(record, key);
    if (cell?.kind === 'money') return cell.money;
  }
  return undefined;
}

const runIds = [
  'runid',
  'executionid',
  'jobid',
  'predictionid',
  'requestid',
  'referenceid',
  'reference',
  'ref',
  'resourceid',
  'sourceid',
];

function identifiers(record: UnknownObject, inner: UnknownObject): readonly string[] {
  const run = asText(pick(record, 'run', 'execution', 'job'));
  const found = [
    ...runIds.map((name) => asText(pick(record, name)) ?? asText(pick(inner, name))),
    run,
    pickText(inner, 'id'),
    pickText(record, 'id', 'uuid', 'entryid', 'transactionid'),
  ];
  return [...new Set(found.filter((id) => id !== undefined))];
}
