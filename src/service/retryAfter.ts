import { readInstant } from '../domain/instant';

/** How long a 429 (or a 503 that names a time) asks to wait. */
export interface RetryAdvice {
  /** From now; at least the named time, up to the cap. */
  readonly waitMs: number;
  /** The wait that was named, where it was longer than the limit. */
  readonly cappedFromMs?: number;
}

/** The longest pause: after it, one request tries again. */
export const LONGEST_PAUSE_MS = 60 * 60 * 1000;

/** Headers with the time to retry; they win over those with the end of a window. In seconds, unless named `-ms`. */
const RETRY_AFTER = /retry-?after|rate-?limit-reset-after/;
/** Also RateLimit (draft-ietf-httpapi-ratelimit-headers). */
const RESET = /^(?:x-)?rate-?limit(?:$|-.*reset|-reset)/;

/** Names in lower case. */
type Headers = Readonly<Record<string, string>>;

/**
 * The wait that the headers ask for. `Retry-After` is read as seconds or a date, resets as seconds from now,
 * epoch seconds, epoch milliseconds, a date (UTC where it names no zone) or a duration ("6m0s", "60 seconds"),
 * and `RateLimit` in both forms of the IETF drafts. Of several of a kind the longest counts, so that none is broken. A date is measured from the
 * service's own clock (`Date`) and from ours, and the longer counts.
 * @param nowMs our clock, milliseconds since 1970
 */
export function readRetryAdvice(headers: Headers, nowMs: number): RetryAdvice | undefined {
  const serverNow = readInstant(headers.date ?? '');
  const clocks = serverNow === undefined ? [nowMs] : [nowMs, serverNow];
  const after = waits(headers, RETRY_AFTER, clocks);
  const named = after.length > 0 ? after : waits(headers, RESET, clocks);
  if (named.length === 0) return undefined;
  const wanted = Math.ceil(Math.max(...named));
  return wanted > LONGEST_PAUSE_MS ? { waitMs: LONGEST_PAUSE_MS, cappedFromMs: wanted } : { waitMs: wanted };
}

/** Whether the headers name a time to retry, and not only the end of a window. */
export function namesRetryTime(headers: Headers): boolean {
  return Object.keys(headers).some((name) => RETRY_AFTER.test(name));
}

/** Milliseconds until the limit's window ends, or the limit is full again, as a successful response reports it. */
export function readResetAdvice(headers: Headers, nowMs: number): number | undefined {
  const named = waits(headers, RESET, [nowMs]);
  return named.length === 0 ? undefined : Math.min(LONGEST_PAUSE_MS, Math.max(...named));
}

/** A longer value names no time; twenty dates have some 600 characters. */
const LONGEST_VALUE = 1_000;

/** The waits that headers of these names ask for; a time in the past is no wait. */
function waits(headers: Headers, names: RegExp, clocks: readonly number[]): number[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const text = value.trim();
    if (!names.test(name) || text === '' || text.length > LONGEST_VALUE) return [];
    const ms = waitOf(text, name.endsWith('-ms'), clocks);
    return ms === undefined || Number.isNaN(ms) ? [] : [Math.max(0, ms)];
  });
}

/** From 1e9 s (2001) on a number of seconds is a time, not a wait; from 1e11 on it is in milliseconds. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MS = 1e11;

function waitOf(text: string, isMs: boolean, clocks: readonly number[]): number | undefined {
  const isQuoted = text.length > 1 && /^["']/.test(text) && text.at(-1) === text[0];
  if (isQuoted) return waitOfValue(text.slice(1, -1).trim(), isMs, clocks);
  return waitOfValue(text, isMs, clocks);
}

function waitOfValue(text: string, isMs: boolean, clocks: readonly number[]): number | undefined {
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(number)) {
    if (isMs && number < FIRST_EPOCH_MS) return number;
    if (number < FIRST_EPOCH_SECONDS) return number * 1000;
    return untilLatest(number < FIRST_EPOCH_MS ? number * 1000 : number, clocks);
  }
  const duration = readDurationMs(text);
  if (duration !== undefined) return duration;
  const instant = readInstant(text);
  if (instant !== undefined) return untilLatest(instant, clocks);
  // A header sent twice is joined by a comma; a date may have a comma of its own, after its weekday.
  const list = text.split(/(?<!\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\s*,\s*/i);
  if (list.length < 2 || list.length > MOST_VALUES) return structuredReset(text);
  const each = list.map((part) => waitOf(part, isMs, clocks)).filter((wait) => wait !== undefined);
  return each.length === 0 ? undefined : Math.max(...each);
}

/** Of one header. */
const MOST_VALUES = 20;

function untilLatest(timeMs: number, clocks: readonly number[]): number {
  return Math.max(...clocks.map((now) => timeMs - now));
}

/** `RateLimit: limit=10, remaining=0, reset=5` and `RateLimit: "default";r=0;t=5`, in seconds. */
function structuredReset(text: string): number | undefined {
  const times = text.matchAll(/(?:\breset|(?:^|;)\s*t)\s*=\s*["']?(\d{1,15}(?:\.\d{1,9})?)/gi);
  const named = [...times].map(([, seconds]) => Number(seconds));
  return named.length === 0 ? undefined : Math.max(...named) * 1000;
}

/** One after another: a text of many parts is read in one pass. */
const PART =
  /\s*(\d{1,15}(?:\.\d{1,9})?)\s*(ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?|d|days?)(?![a-z])/iy;
const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of "20ms", "6m0s", "1h30m" or "60 seconds"; undefined of any other text. */
export function readDurationMs(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d/.test(trimmed)) return undefined;
  let total = 0;
  for (let at = 0; at < trimmed.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [, number, unit = ''] = PART.exec(trimmed) ?? [];
    if (number === undefined) return undefined;
    total += Number(number) * (/^m(?:s|illi)/i.test(unit) ? 1 : UNITS_MS[unit[0]!.toLowerCase()]!);
  }
  return total;
}
