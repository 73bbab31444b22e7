/** A request that went well: what it was, and how long it took in milliseconds. */
export interface Took {
  readonly request: 'upload' | 'run';
  readonly ms: number;
}

/** Responses that take so many times as long as the quickest ones did say that requests queue up at the service. */
const QUEUEING = 3;
/** Below so much more, in milliseconds, it is noise. */
const NOISE_MS = 250;
/** How much of the best time is forgotten with each round: a service that has become slower is not held back for ever. */
const FORGETTING = 1.05;

/**
 * How many requests may be in flight, found by trying: one more after each round of successes, half after a
 * refusal for the rate (AIMD), a quarter less after a round whose responses took much longer than they can, and none
 * at all until a pause has ended.
 */
export class Pace {
  #limit: number;
  #inFlight = 0;
  #successes = 0;
  #pausedUntil = 0;
  #backoffMs = 0;
  readonly #round = { upload: new Times(), run: new Times() };

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

  /** `took` is left out where it tells nothing of the service, as with a large file. */
  succeeded(took?: Took): void {
    this.#inFlight--;
    this.#backoffMs = 0;
    if (took) this.#round[took.request].add(took.ms);
    if (++this.#successes < this.limit) return;
    this.#successes = 0;
    const queues = [this.#round.upload.end(), this.#round.run.end()].includes(true);
    this.#limit = queues
      ? Math.max(1, Math.floor(this.limit * 0.75))
      : Math.min(this.#limit + 1, this.most());
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

/** The mean of a round, next to the best round so far. */
class Times {
  #sum = 0;
  #count = 0;
  #best = Number.POSITIVE_INFINITY;

  add(ms: number): void {
    this.#sum += ms;
    this.#count++;
  }

  /** Whether the round that ends took much longer than the best one. */
  end(): boolean {
    if (this.#count === 0) return false;
    const mean = this.#sum / this.#count;
    this.#sum = this.#count = 0;
    this.#best = Math.min(this.#best * FORGETTING, mean);
    return mean > this.#best * QUEUEING && mean - this.#best > NOISE_MS;
  }
}
