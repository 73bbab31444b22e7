import { readResetAdvice } from '../retryAfter';

type Headers = Readonly<Record<string, string>>;

/** A response's headers, and the time since 1970 at which they came: a reset may be a date. */
interface Received {
  readonly headers: Headers;
  readonly wallTimeMs: number;
}

/** Headers that carry how many more requests are allowed, and how many in all. */
const REMAINING = /rate-?limit-(?:.*-)?remaining/;
const LIMIT = /rate-?limit-(?:.*-)?limit(?!-)/;

/** The service has counted a request without a 429 after this time: a run may take an hour, its counting does not. */
const COUNTED_AFTER_MS = 2_000;
/** A header alone holds nothing back longer: only a 429 rejects. */
const MOST_HELD_MS = 10_000;
/** Limits from this size on keep one request in reserve. */
const RESERVES_ONE_FROM = 20;
const MOST_HELD_FOR_WINDOW_MS = 60_000;

/**
 * The remaining requests of a rate limit by the headers of responses, so that requests slow down before a 429. The
 * headers do not show whether the limit refills evenly or all at once: it is taken to refill evenly until a 429 shows
 * the contrary; from then on a limit that is used up is waited for until its reset.
 */
export class AnnouncedLimit {
  /** The announced number of the last response, less the requests in flight then and those sent since. */
  #left: number | undefined;
  #readAtMs = 0;
  #resetAtMs = 0;
  #limit = 0;
  #perMs = 0;
  #lastSentMs = Number.NEGATIVE_INFINITY;
  #held = false;
  #windowed = false;
  readonly #underWay = new Set<{ readonly sinceMs: number }>();
  #sent = 0;
  /** Number of the newest request with a used response; older responses are out of date. */
  #newest = 0;

  /** Milliseconds until one more request may leave; 0: now. */
  waitMs(nowMs: number): number {
    if (this.#left === undefined) return 0;
    const allowed = this.#left + this.#perMs * (nowMs - this.#readAtMs);
    const byWindow = this.#windowed && this.#resetAtMs > nowMs;
    if (this.#windowed ? this.#left >= 1 || !byWindow : allowed >= 1) return 0;
    const most = this.#lastSentMs + (byWindow ? MOST_HELD_FOR_WINDOW_MS : MOST_HELD_MS) - nowMs;
    if (most <= 0) return 0;
    if (!byWindow && this.#perMs === 0 && this.#uncounted(nowMs) === 0) return 0;
    this.#held = true;
    if (byWindow) return Math.min(most, this.#resetAtMs - nowMs);
    // With an unknown rate, the responses under way are waited for.
    return Math.max(1, Math.min(most, this.#perMs === 0 ? COUNTED_AFTER_MS : (1 - allowed) / this.#perMs));
  }

  /** A request leaves. Returns a function to call when it has ended, with the response if there is one. */
  send(nowMs: number): (atMs: number, received?: Received) => void {
    const request = { sinceMs: nowMs };
    const number = ++this.#sent;
    this.#underWay.add(request);
    this.#lastSentMs = nowMs;
    if (this.#left !== undefined) this.#left--;
    return (atMs, received) => {
      this.#underWay.delete(request);
      if (received) this.#read(received, atMs, number);
    };
  }

  /** A 429: the announced limit is wrong. */
  exceeded(): void {
    if (this.#held) this.#windowed = true;
    this.#held = false;
    this.#left = undefined;
  }

  #read({ headers, wallTimeMs }: Received, nowMs: number, number: number): void {
    const remaining = numberIn(headers, REMAINING);
    if (remaining === undefined) return;
    const left = remaining - this.#uncounted(nowMs);
    if (number < this.#newest && left >= (this.#left ?? Number.POSITIVE_INFINITY)) return;
    this.#newest = Math.max(number, this.#newest);
    const limit = numberIn(headers, LIMIT) ?? 0;
    if (limit !== this.#limit) this.#perMs = 0;
    this.#limit = limit;
    const resetMs = readResetAdvice(headers, wallTimeMs) ?? 0;
    this.#resetAtMs = nowMs + resetMs;
    // Resets come in whole seconds, rounded up: of several readings the fastest is the nearest.
    if (limit - remaining >= limit / 2 && resetMs > 0)
      this.#perMs = Math.max(this.#perMs, (limit - remaining) / resetMs);
    // One is reserved where it costs little: whole seconds and rounded numbers err by as much.
    this.#left = left - (limit >= RESERVES_ONE_FROM ? 1 : 0);
    this.#readAtMs = nowMs;
  }

  /** Requests under way that the announced number may not include yet. */
  #uncounted(nowMs: number): number {
    let count = 0;
    for (const { sinceMs } of this.#underWay) if (nowMs - sinceMs < COUNTED_AFTER_MS) count++;
    return count;
  }
}

function numberIn(headers: Headers, names: RegExp): number | undefined {
  const numbers = Object.entries(headers).flatMap(([name, text]) =>
    names.test(name) && /^\s*\d{1,12}\s*$/.test(text) ? [Number(text)] : [],
  );
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}
