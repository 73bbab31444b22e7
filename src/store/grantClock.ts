import type { Database } from './database';
import { number } from './rows';

/** Clocks in milliseconds: the system's, since the epoch, and one that never goes back. */
export interface Clocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

export const systemClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/**
 * The time by which grants end: the latest that any process has seen. A system clock that is set back neither revives a
 * grant nor prolongs it. One that was ahead for a while ends grants early; the next grant starts a new epoch.
 */
export class GrantClock {
  #last = { epoch: -1, at: 0, steady: 0 };

  constructor(
    private readonly database: Database,
    private readonly clocks: Clocks,
  ) {}

  now(): number {
    const { epoch, at } = this.database.get('SELECT epoch, at FROM agent_clock', (row) => ({
      epoch: number(row, 'epoch'),
      at: number(row, 'at'),
    }))!;
    const steady = this.clocks.steady();
    const since = this.#last.epoch === epoch ? this.#last.at + (steady - this.#last.steady) : 0;
    const now = Math.max(Math.round(this.clocks.wall()), at, Math.round(since));
    this.#last = { epoch, at: now, steady };
    return now;
  }

  /** Inside a change: the time, which is kept for every process. */
  tick(): number {
    const now = this.now();
    this.database.run('UPDATE agent_clock SET at = ?', now);
    return now;
  }

  /** Inside a change in which a person gives a grant: the system's time counts from now on. */
  restart(): number {
    const now = Math.round(this.clocks.wall());
    this.database.run('UPDATE agent_clock SET epoch = epoch + 1, at = ?', now);
    return now;
  }
}
