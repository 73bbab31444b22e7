/** The event loop gets a turn after so many milliseconds of synchronous work: half of what nobody notices. */
const TURN_MS = 4;

/** Synchronous work in short turns, so that nothing else in the process waits longer than one of them. */
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

  /** Texts of any number, by their UTF-16 code units. */
  sorted(list: readonly string[]): Promise<string[]>;
  sorted<T>(list: readonly T[], compare: (a: T, b: T) => number): Promise<T[]>;
  /** Sorts a list of any length; the runs that are merged are sorted at once. */
  async sorted<T>(list: readonly T[], compare?: (a: T, b: T) => number): Promise<T[]> {
    // A comparison of texts can take a hundredth of a millisecond.
    const RUN = 256;
    let runs: T[][] = [];
    for (let start = 0; start < list.length; start += RUN) {
      runs.push(list.slice(start, start + RUN).sort(compare));
      if (this.isOver) await this.next();
    }
    while (runs.length > 1) {
      const merged: T[][] = [];
      for (let i = 0; i < runs.length; i += 2)
        merged.push(await this.#merged(runs[i] as T[], runs[i + 1] ?? [], compare ?? byCodeUnits));
      runs = merged;
    }
    return runs[0] ?? [];
  }

  async #merged<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    const all: T[] = [];
    for (let i = 0, j = 0; i < a.length || j < b.length; ) {
      const fromA = j >= b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0);
      all.push((fromA ? a[i++] : b[j++]) as T);
      if (all.length % 1024 === 0 && this.isOver) await this.next();
    }
    return all;
  }
}

/** As `sort` compares by itself. */
function byCodeUnits<T>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The result of such work in one go, where nothing else waits for it. */
export function atOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
