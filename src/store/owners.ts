import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database, Row } from './database';
import { number, text } from './rows';
import { StoreProblem } from './storeProblem';

/** How often an owner with something to lose shows that it lives. */
const BEAT_EVERY_MS = 1_000;

/**
 * How long an owner must have been watched without a beat to be gone, by the monotonic clock of the one who watches:
 * clocks of two machines or processes are never compared, and a wall clock that jumps means nothing.
 */
const GONE_MS = {
  /** Its process is gone from this machine. */
  dead: 1_500,
  /** On another machine, with processes that cannot be asked. */
  elsewhere: 20_000,
  /** A live process has this number: it is stopped in a debugger, or the system reused the number. */
  silent: 60_000,
} as const;
/** Between two looks no more than this counts as watched: one who slept for an hour has not watched. */
const MOST_BETWEEN_LOOKS_MS = 5_000;

export interface OwnerOptions {
  readonly pid?: number;
  readonly host?: string;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  readonly isAlive?: (pid: number) => boolean;
  readonly beatEveryMs?: number;
}

interface Sight {
  readonly beat: number;
  readonly lookedAt: number;
  readonly watchedMs: number;
}

/** This window or terminal among the owners of leases and runs. It is known to others while it holds something. */
export class Owners {
  readonly id = randomUUID();
  readonly #sights = new Map<string, Sight>();
  #beating: NodeJS.Timeout | undefined;
  #beats = 0;
  /** Leases that this owner released while the store could not be written. */
  readonly #unreleased = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly options: OwnerOptions = {},
  ) {}

  /**
   * Makes this one known, inside the change by which it gets a run, an agent's call or a lease.
   * @param lease the lease it gets, which is no longer to be released
   */
  register(lease?: string): void {
    if (lease !== undefined) this.#unreleased.delete(lease);
    const { pid = process.pid, host = hostname() } = this.options;
    // An owner that returns starts with an unseen beat: another window may remember the last one as silent.
    const values = [this.id, pid, host, ++this.#beats];
    this.database.run('INSERT OR IGNORE INTO owner VALUES (?, ?, ?, ?)', ...values);
    this.#beating ??= setInterval(() => void this.#beat(), this.options.beatEveryMs ?? BEAT_EVERY_MS).unref();
  }

  /**
   * Whether an owner is surely gone, as far as this process has watched it. Look again a little later: a first look, or
   * a few in one moment, never says so.
   */
  isGone(id: string): boolean {
    if (id === this.id) return false;
    const owner = this.database.get('SELECT pid, host, beat FROM owner WHERE id = ?', ownerOf, id);
    if (!owner) return true;
    const now = this.options.now?.() ?? performance.now();
    const before = this.#sights.get(id);
    const watchedMs =
      before?.beat === owner.beat
        ? before.watchedMs + Math.min(now - before.lookedAt, MOST_BETWEEN_LOOKS_MS)
        : 0;
    this.#sights.set(id, { beat: owner.beat, lookedAt: now, watchedMs });
    return watchedMs >= GONE_MS[this.#stateOf(owner)];
  }

  /** Releases a lease; if that cannot be written now, with one of the next beats. */
  async release(lease: string): Promise<void> {
    try {
      await this.database.write(() => this.#deleteLease(lease));
    } catch (error) {
      this.#unreleased.add(lease);
      throw error;
    }
  }

  /** Tells the others that this one is gone. */
  async end(): Promise<void> {
    clearInterval(this.#beating);
    if (!this.#beating) return;
    await this.database.write(() => this.database.run('DELETE FROM owner WHERE id = ?', this.id));
  }

  #stateOf({ pid, host }: { pid: number; host: string }): keyof typeof GONE_MS {
    if (host !== (this.options.host ?? hostname())) return 'elsewhere';
    return (this.options.isAlive ?? isAlive)(pid) ? 'silent' : 'dead';
  }

  /** One with nothing to lose any more goes from the list: an idle window writes nothing. */
  async #beat(): Promise<void> {
    try {
      const held = await this.database.write(() => {
        for (const lease of this.#unreleased) this.#deleteLease(lease);
        const holds = this.#holdsSomething();
        if (holds) this.database.run('UPDATE owner SET beat = ? WHERE id = ?', ++this.#beats, this.id);
        else this.database.run('DELETE FROM owner WHERE id = ?', this.id);
        return holds;
      });
      this.#unreleased.clear();
      // Only now: unwritten releases are tried again. The next beat sees a release that was written together with this one.
      if (held || this.#holdsSomething()) return;
      clearInterval(this.#beating);
      this.#beating = undefined;
    } catch {
      // The next beat tries again; requests meanwhile are checked in their own change.
    }
  }

  #deleteLease(lease: string): void {
    this.database.run('DELETE FROM lease WHERE name = ? AND owner = ?', lease, this.id);
  }

  #holdsSomething(): boolean {
    const held = `SELECT 1 AS yes FROM lease WHERE owner = ?
      UNION ALL SELECT 1 FROM run WHERE state = 'running' AND owner = ?
      UNION ALL SELECT 1 FROM agent_call WHERE state = 'running' AND owner = ? LIMIT 1`;
    return this.database.has(held, this.id, this.id, this.id);
  }
}

/** Leases: for work that only one window at a time may do, such as a job. */
export class Leases {
  /**
   * The holder of each lease in this window. One that lost it while the window was suspended does not get it back
   * with another.
   */
  readonly #holders = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly owners: Owners,
  ) {}

  /**
   * Inside a change: takes a lease that is free, or of an owner that is gone. False when another holds it, or this
   * one does already: two jobs of one window exclude one another as those of two windows do.
   * @param holder the part of this window that takes it
   */
  take(name: string, holder = ''): boolean {
    const owner = this.#owner(name);
    if (owner !== undefined) {
      if (!this.owners.isGone(owner)) return false;
      this.database.run('DELETE FROM owner WHERE id = ?', owner);
      this.database.run('DELETE FROM lease WHERE name = ?', name);
    }
    this.owners.register(name);
    this.database.run('INSERT INTO lease VALUES (?, ?)', name, this.owners.id);
    this.#holders.set(name, holder);
    return true;
  }

  /** Whether somebody holds it who is not known to be gone. */
  isHeld(name: string): boolean {
    const owner = this.#owner(name);
    return owner !== undefined && !this.owners.isGone(owner);
  }

  /** Releases this holder's lease; has no effect if another one of this window has it. */
  async release(name: string, holder = ''): Promise<void> {
    if (this.#holders.get(name) === holder) await this.owners.release(name);
  }

  /** Whether this holder of this window has the lease. */
  isOwn(name: string, holder = ''): boolean {
    return this.#owner(name) === this.owners.id && this.#holders.get(name) === holder;
  }

  /** Inside a change: throws unless this holder of this window has the lease, and so undoes the change. */
  assertHeld(name: string, holder = ''): void {
    if (!this.isOwn(name, holder))
      throw new StoreProblem('notOwner', `The lease ${name} belongs to ${this.#owner(name) ?? 'nobody'}.`);
  }

  #owner(name: string): string | undefined {
    return this.database.get('SELECT owner FROM lease WHERE name = ?', (row) => text(row, 'owner'), name);
  }
}

function ownerOf(row: Row) {
  return { pid: number(row, 'pid'), host: text(row, 'host'), beat: number(row, 'beat') };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process that we may not signal is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
