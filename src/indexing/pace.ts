/**
 * How many requests may be in flight, found by trying: one more after each round of successes, half after a
 * refusal for the rate (AIMD), and none at all until a pause has ended.
 */
export class Pace {
  #limit: number;
  #inFlight = 0;
  #successes = 0;
  #pausedUntil = 0;
  #backoffMs = 0;

  /** `most`: read anew each time, so that a changed setting holds at once. */
  constructor(private readonly most: () => number) {
    this.#limit = most();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get limit(): number {
    return Math.min(this.#limit, this.most());
  }

  /** Milliseconds until requests may leave again. */
  pauseLeft(now = Date.now()): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  take(): boolean {
    if (this.#inFlight >= this.limit || this.pauseLeft() > 0) return false;
    this.#inFlight++;
    return true;
  }

  succeeded(): void {
    this.#inFlight--;
    this.#backoffMs = 0;
    if (++this.#successes < this.#limit) return;
    this.#successes = 0;
    this.#limit = Math.min(this.#limit + 1, this.most());
  }

  /** Ended without telling anything about what the service bears. */
  released(): void {
    this.#inFlight--;
  }

  /** The service wants fewer requests: half as many, after the pause it names (else one that doubles). */
  refused(retryAtMs: number | undefined): void {
    this.#inFlight--;
    this.#slower();
    this.#pauseUntil(retryAtMs ?? Date.now() + this.#nextBackoff());
  }

  /** The service cannot be reached or is failing: a pause that doubles. */
  troubled(): void {
    this.#inFlight--;
    this.#slower();
    this.#pauseUntil(Date.now() + this.#nextBackoff());
  }

  #slower(): void {
    // What was in flight together is refused together: that is one sign, not many.
    if (this.pauseLeft() === 0) this.#limit = Math.max(1, Math.floor(this.limit / 2));
    this.#successes = 0;
  }

  #nextBackoff(): number {
    if (this.pauseLeft() > 0) return this.pauseLeft();
    this.#backoffMs = Math.min(30_000, this.#backoffMs === 0 ? 500 : this.#backoffMs * 2);
    return this.#backoffMs;
  }

  #pauseUntil(atMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, atMs);
  }
}
