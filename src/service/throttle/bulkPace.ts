import type { BulkPause, BulkThrottle } from '../client';
import type { Pause } from './pause';

/** Responses that take so many times as long as the quickest ones have queued at the service. */
const QUEUEING = 3;
/** A smaller difference, in milliseconds, is noise. */
const NOISE_MS = 250;
/** The best time grows by this factor with each round, so that a service that became slower is not held back for ever. */
const FORGETTING = 1.05;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * How many requests of bulk work may be in flight at a service, found by trying: one more after each round of
 * successes, half after a 429 or a failure (AIMD), a quarter less after a round whose responses took much longer
 * than the quickest. After failures bulk work pauses, each time twice as long.
 */
export class BulkPace implements BulkThrottle {
  #limit = Number.POSITIVE_INFINITY;
  /** As it was last asked for. */
  #most = 1;
  #successes = 0;
  #backoffMs = 0;
  readonly #times = new Map<string, Times>();

  constructor(private readonly shared: Pause) {}

  get pause(): BulkPause | undefined {
    return this.shared.ofBulk;
  }

  limit(most: number): number {
    this.#most = most;
    return this.pause ? 0 : this.#current;
  }

  onDidChange(listener: () => void): () => void {
    return this.shared.onDidChange(listener);
  }

  /** A response that is no failure. Requests named alike take comparable time. */
  succeeded(name: string, ms: number): void {
    this.#backoffMs = 0;
    const times = this.#times.get(name) ?? new Times();
    this.#times.set(name, times);
    times.add(ms);
    if (++this.#successes < this.#current) return;
    this.#successes = 0;
    const queues = [...this.#times.values()].map((each) => each.endRound()).includes(true);
    this.#limit = queues
      ? Math.max(1, Math.floor(this.#current * 0.75))
      : Math.min(this.#current + 1, this.#most);
  }

  /** A 429. The pause itself is set afterwards. */
  rateLimited(): void {
    this.#halve();
  }

  /** A request failed for good: the service cannot be reached, or is failing. */
  failed(): void {
    this.#halve();
    if (this.pause) return;
    this.#backoffMs = Math.min(LONGEST_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, this.#backoffMs * 2));
    this.shared.forTrouble(this.#backoffMs);
  }

  get #current(): number {
    return Math.min(this.#limit, this.#most);
  }

  #halve(): void {
    this.#successes = 0;
    // Requests in flight together fail together: that is one sign, not many.
    if (!this.pause) this.#limit = Math.max(1, Math.floor(this.#current / 2));
  }
}

/** The mean of a round, next to the best round so far. */
class Times {
  #sum = 0;
  #count = 0;
  #best = Number.POSITIVE_INFINITY;

  add(ms: number): void {
    this.#sum += ms;
    this.#count++;
  }

  /** Whether the round took much longer than the best one. */
  endRound(): boolean {
    if (this.#count === 0) return false;
    const mean = this.#sum / this.#count;
    this.#sum = this.#count = 0;
    this.#best = Math.min(this.#best * FORGETTING, mean);
    return mean > this.#best * QUEUEING && mean - this.#best > NOISE_MS;
  }
}
