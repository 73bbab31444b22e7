import { badRequest } from '../http/errors';

/** Epoch milliseconds; `to` is exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Reads `from` and `to` (ISO 8601). @throws {HttpError} 400 not a date, or `from` after `to` */
export function readPeriod(query: URLSearchParams, fallback: Period): Period {
  const from = readDate(query, 'from') ?? fallback.from;
  const to = readDate(query, 'to') ?? fallback.to;
  if (from > to) throw badRequest('invalid_period', '"from" must not be after "to".');
  return { from, to };
}

function readDate(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    throw badRequest('invalid_query', `"${name}" must be an ISO 8601 date or time.`, [
      { path: name, message: `"${text}" is not an ISO 8601 date or time` },
    ]);
  }
  return at;
}

/** A whole number from the query within bounds. @throws {HttpError} 400 */
export function readWhole(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) {
    throw badRequest('invalid_query', `"${name}" must be a whole number from 1 to ${max}.`);
  }
  return value;
}
