import type { Money } from '../domain/money';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { readTime } from './billingValues';
import { readSignedCost } from './cost';
import { readList } from './list';
import { pickMoney, recordCurrency, withCurrency } from './money';
import { asText, firstOf, pick, pickText } from './records';

// Activity: "query parameters and body: not shown" (section 4). A list; each entry is read for its known members.

export interface ActivityEntry {
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
  readonly next: string | undefined;
  /** There are more entries, but no address of them. */
  readonly goesOn: boolean;
  /** How many entries there are on all pages, where the body says it. */
  readonly total: number | undefined;
  /** Number of items that are not entries of a known kind; the raw response has them. */
  readonly notUnderstood: number;
}

const LISTS = words('items results data entries activity activities events transactions history runs');
const TIMES = words('createdat created timestamp time at date');
const RUN_IDS = words('runid jobid taskid requestid reference');

/** The entries of a body; undefined: it has no list of a known kind, or no entry in it. It can pause after each. */
export function* readingActivity(
  json: unknown,
  headers: Readonly<Record<string, string>>,
): Generator<unknown, ReadActivity | undefined> {
  const currency = isObject(json) ? recordCurrency(json) : undefined;
  const list = readList(json, headers, LISTS);
  if (!list) return undefined;
  const records = list.items.filter(isObject);
  const notUnderstood = list.items.length - records.length;
  if (records.length === 0 && notUnderstood > 0) return undefined;
  const entries: ActivityEntry[] = [];
  for (const item of records) {
    entries.push(readEntry(withCurrency(item, currency), item));
    yield;
  }
  const { goesOn, next, total } = list;
  return { entries, notUnderstood, goesOn, next, total };
}

function readEntry(record: UnknownObject, raw: UnknownObject): ActivityEntry {
  const run = pick(record, 'run', 'job', 'metadata');
  const inner = isObject(run) ? run : {};
  const both = [record, inner];
  const text = (...names: readonly string[]) => firstOf(both, (one) => pickText(one, ...names));
  const ids = [
    ...RUN_IDS.map((name) => text(name)),
    asText(run),
    pickText(inner, 'id'),
    pickText(record, 'id'),
  ];
  return {
    at: firstOf(both, (one) => firstOf(TIMES, (name) => readTime(pick(one, name)))),
    kind: pickText(record, 'type', 'kind', 'event', 'action', 'category'),
    model: firstOf(both, modelIn),
    mode: text('mode', 'operation'),
    status: text('status', 'state', 'outcome'),
    money: firstOf(both, (one) => readSignedCost(one) ?? pickMoney(one, 'amount')),
    description: pickText(record, 'description', 'message', 'title', 'note', 'reason'),
    ids: [...new Set(ids.filter((id) => id !== undefined))],
    raw,
  };
}

function modelIn(record: UnknownObject): string | undefined {
  const model = pick(record, 'model', 'modelslug', 'modelname', 'modelid', 'slug');
  return isObject(model) ? pickText(model, 'slug', 'name', 'id') : asText(model);
}
