/** How long a loop may hold the thread in one go, in milliseconds: too short to notice. */
const TURN_MS = 4;
/** Steps between two looks at the clock, which take longer than a short step. */
const STEPS = 32;

/** Shares the thread in a loop of short steps: `if (turns.isOver) await turns.rest()` in each. */
export class Turns {
  #ends = performance.now() + TURN_MS;
  #steps = 0;

  get isOver(): boolean {
    return ++this.#steps % STEPS === 0 && performance.now() > this.#ends;
  }

  /** Lets others run. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#ends = performance.now() + TURN_MS;
  }
}
