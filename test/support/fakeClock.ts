import type { Clock } from '../../src/service/clock';

/** A clock that only moves when told to. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];
  /** The longest delay that a timer was asked for. */
  longestTimerMs = 0;
  constructor(now = Date.UTC(2030, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** The difference of the wall clock to this one. */
  wallTimeOffMs = 0;

  wallTime(): number {
    return this.#now + this.wallTimeOffMs;
  }

  get timers(): number {
    return this.#timers.length;
  }

  after(ms: number, callback: () => void): () => void {
    this.longestTimerMs = Math.max(this.longestTimerMs, ms);
    const timer = { at: this.#now + Math.max(0, ms), callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves on, timer by timer; work that a timer starts runs at the timer's own time. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await settled();
    }
    this.#now = until;
  }

  /** Moves straight to the next timer; false when there is none. */
  async advanceToNext(): Promise<boolean> {
    await settled();
    const next = Math.min(...this.#timers.map(({ at }) => at));
    if (!Number.isFinite(next)) return false;
    await this.advance(Math.max(0, next - this.#now));
    return true;
  }
}

/** Lets everything that waits for nothing but microtasks run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
