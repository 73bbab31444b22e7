import { readResetAdvice } from './retryAfter';

type Headers = Readonly<Record<string, string>>;

/** Names under which responses say how many more requests are allowed, and how many in all. */
const REMAINING = names('remaining');
const LIMIT = names('limit');

/** A request that has not been refused for so long was counted: a run may take an hour, its counting does not. */
const COUNTED_AFTER_MS = 2_000;
/** Nobody is held back longer for a header: only a 429 is a refusal. */
const MOST_HELD_MS = 10_000;
/** Of so many allowed, one is not missed. */
const SPARES_ONE = 20;
const MOST_HELD_FOR_WINDOW_MS = 60_000;

/**
 * What the headers of good responses say is left of a rate limit, so that requests slow down before they are refused.
 * Whether the limit refills evenly or all at once is not told: it is taken to refill evenly until a 429 shows that
 * it does not, and from then on what is used up is waited for until its reset.
 */
export class Allowance {
  /** As the last response told it, less what was under way then, and what has left since. */
  #left: number | undefined;
  #toldAtMs = 0;
  #resetAtMs = 0;
  #limit = 0;
  #perMs = 0;
  #lastSentMs = Number.NEGATIVE_INFINITY;
  #held = false;
  #windowed = false;
  readonly #underWay = new Set<{ readonly sinceMs: number }>();
  #sent = 0;
  /** Which request's response was believed last: what an older one tells was true when that one arrived. */
  #believed = 0;

  /** Milliseconds until one more request may leave; 0: now. */
  waitMs(nowMs: number): number {
    if (this.#left === undefined) return 0;
    const allowed = this.#left + this.#perMs * (nowMs - this.#toldAtMs);
    const byWindow = this.#windowed && this.#resetAtMs > nowMs;
    if (this.#windowed ? this.#left >= 1 || !byWindow : allowed >= 1) return 0;
    const most = this.#lastSentMs + (byWindow ? MOST_HELD_FOR_WINDOW_MS : MOST_HELD_MS) - nowMs;
    if (most <= 0) return 0;
    if (!byWindow && this.#perMs === 0 && this.#counting(nowMs) === 0) return 0;
    this.#held = true;
    if (byWindow) return Math.min(most, this.#resetAtMs - nowMs);
    // With no idea of the rate, the responses under way are waited for.
    return Math.max(1, Math.min(most, this.#perMs === 0 ? COUNTED_AFTER_MS : (1 - allowed) / this.#perMs));
  }

  /** A request leaves. Returns what to call when it is over, with the response's headers if there is one. */
  send(nowMs: number): (atMs: number, headers?: Headers) => void {
    const request = { sinceMs: nowMs };
    const number = ++this.#sent;
    this.#underWay.add(request);
    this.#lastSentMs = nowMs;
    if (this.#left !== undefined) this.#left--;
    return (atMs, headers) => {
      this.#underWay.delete(request);
      if (headers) this.#told(headers, atMs, number);
    };
  }

  /** A 429: what was believed is wrong. */
  refused(): void {
    if (this.#held) this.#windowed = true;
    this.#held = false;
    this.#left = undefined;
  }

  #told(headers: Headers, nowMs: number, number: number): void {
    const remaining = numberIn(headers, REMAINING);
    if (remaining === undefined) return;
    const left = remaining - this.#counting(nowMs);
    if (number < this.#believed && left >= (this.#left ?? Number.POSITIVE_INFINITY)) return;
    this.#believed = Math.max(number, this.#believed);
    const limit = numberIn(headers, LIMIT) ?? 0;
    if (limit !== this.#limit) this.#perMs = 0;
    this.#limit = limit;
    const resetMs = readResetAdvice(headers, nowMs) ?? 0;
    this.#resetAtMs = nowMs + resetMs;
    // Resets are told in whole seconds, rounded up: of several readings the fastest is the nearest.
    if (limit - remaining >= limit / 2 && resetMs > 0)
      this.#perMs = Math.max(this.#perMs, (limit - remaining) / resetMs);
    // One is kept back where it costs little: times told in whole seconds, and floors, err by as much.
    this.#left = left - (limit >= SPARES_ONE ? 1 : 0);
    this.#toldAtMs = nowMs;
  }

  /** Requests under way of which the service may not have told yet. */
  #counting(nowMs: number): number {
    let count = 0;
    for (const { sinceMs } of this.#underWay) if (nowMs - sinceMs < COUNTED_AFTER_MS) count++;
    return count;
  }
}

function names(what: string): readonly string[] {
  return [`x-ratelimit-${what}`, `x-rate-limit-${what}`, `ratelimit-${what}`, `x-ratelimit-${what}-requests`];
}

function numberIn(headers: Headers, candidates: readonly string[]): number | undefined {
  const told = candidates.flatMap((name) => {
    const text = headers[name]?.trim() ?? '';
    return /^\d{1,12}$/.test(text) ? [Number(text)] : [];
  });
  return told.length === 0 ? undefined : Math.min(...told);
}
