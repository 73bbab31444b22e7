import type { BulkPause, BulkThrottle } from '../client';
import type { Pause } from './pause';

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * How many requests of bulk work may be in flight at a service, found by trying: one more after each round of
 * successes, half after a 429 or a failure (AIMD). How long a request takes says nothing: in an experiment slow values
 * are the point. After failures bulk work pauses, each time twice as long.
 */
export class BulkPace implements BulkThrottle {
  #limit = Number.POSITIVE_INFINITY;
  /** The last requested number. */
  #most = 1;
  #successes = 0;
  #backoffMs = 0;

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

  /** A response that is no failure. */
  succeeded(): void {
    this.#backoffMs = 0;
    // Without a limit there is none to raise, also before a job has named its most: its first requests may have left.
    if (this.#limit >= this.#most || ++this.#successes < this.#current) return;
    this.#successes = 0;
    this.#limit = Math.min(this.#current + 1, this.#most);
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
