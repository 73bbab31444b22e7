import { readAmount } from '../domain/amounts';
import { readInstant } from '../domain/instant';
import type { Money } from '../domain/money';
import type { UsageCell } from '../domain/usage';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { readMoney, readNamedMoney, recordCurrency } from './money';
import { asText, pick, plainName } from './records';

// Single values of the billing bodies ("body: not shown"): their kind follows from name and value together.

const moneyName =
  /cost|spen[dt]|charge|amount|price|fee|balance|revenue|paid|debit|credit|subtotal|billed|usd$|eur$/;
/** Counts with money in their names: `charged_runs`, `credit_count`. */
const countName = /count|runs$|requests|calls$|number|tokens|quantity|items$|images$|rate$|percent/;
const timeName =
  /^(start|end|date|day|hour|week|month|time|timestamp|ts|t|at|from|to|period|bucket|interval|window|key|label|x)$|(at|date|time|start|end|timestamp)$/;

const AMOUNTS = words('amount value cents micros nanos units');

/** One entry of a record; undefined for null, and for records and lists, which have cells of their own. */
export function usageCell(record: UnknownObject, key: string): UsageCell | undefined {
  const value = record[key];
  const name = plainName(key);
  if (isObject(value)) {
    const isMoney = pick(value, ...AMOUNTS) !== undefined;
    const read = isMoney ? readMoney(value, recordCurrency(record)) : undefined;
    return read && isAmount(read) ? { kind: 'money', money: read } : undefined;
  }
  if (typeof value === 'boolean') return { kind: 'text', text: String(value) };
  const text = asText(value);
  if (text === undefined) return undefined;
  if (moneyName.test(name) && !countName.test(name)) {
    const money = readNamedMoney(record, name, value);
    if (money && isAmount(money)) return { kind: 'money', money };
  }
  if (timeName.test(name)) {
    const at = readTime(value);
    if (at !== undefined) return { kind: 'time', at, text };
  }
  const amount = readAmount(value);
  return amount === undefined ? { kind: 'text', text } : { kind: 'number', amount };
}

function isAmount({ amount }: Money): boolean {
  return readAmount(amount) !== undefined;
}

/**
 * Milliseconds since the epoch of an ISO 8601 date or time, or of epoch seconds or milliseconds. A time without a
 * zone is taken as UTC, so that the same response reads the same on every machine.
 */
export function readTime(value: unknown): number | undefined {
  const text = asText(value)?.trim() ?? '';
  if (/^\d{10}(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  // Milliseconds, microseconds, nanoseconds.
  if (/^\d{13}(?:\d{3}|\d{6})?$/.test(text)) return Number(text.slice(0, 13));
  // A name that starts with a year is text here, as is a bare year.
  return /^\d{4}(?:-\d{2}|\/\d{2}\/\d{2})/.test(text) ? readInstant(text) : undefined;
}
