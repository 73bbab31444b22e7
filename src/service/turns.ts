/** The event loop gets a turn after this much synchronous work, too short to notice. */
const TURN_MS = 4;

/** Synchronous work in short turns, so that the rest of the process waits for one turn at most. */
export class Turns {
  #ends = performance.now() + TURN_MS;

  constructor(private readonly signal?: AbortSignal) {}

  /** Whether it is time for `next`: awaiting that for every step would take longer than the step. */
  get isOver(): boolean {
    return performance.now() >= this.#ends;
  }

  /** Ends the turn, and begins another when everything else has had one. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.signal?.throwIfAborted();
    this.#ends = performance.now() + TURN_MS;
  }

  /** The result of work that can pause after each of its steps. */
  async through<T>(work: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (this.isOver) await this.next();
    }
  }
}
