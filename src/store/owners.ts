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
  /** On another machine, whose processes cannot be asked. */
  elsewhere: 20_000,
  /** A process of its number lives here: it is stopped in a debugger, or the number was given out anew. */
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

  constructor(
    private readonly database: Database,
    private readonly options: OwnerOptions = {},
  ) {}

  /** Makes this one known, inside the change by which it gets its first lease or run. */
  register(): void {
    const { pid = process.pid, host = hostname() } = this.options;
    this.database.run('INSERT OR IGNORE INTO owner VALUES (?, ?, ?, 0)', this.id, pid, host);
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

  /** Tells the others that this one is gone. */
  async end(): Promise<void> {
    clearInterval(this.#beating);
    if (!this.#beating) return;
    await this.database.write('eventual', () => this.database.run('DELETE FROM owner WHERE id = ?', this.id));
  }

  #stateOf({ pid, host }: { pid: number; host: string }): keyof typeof GONE_MS {
    if (host !== (this.options.host ?? hostname())) return 'elsewhere';
    return (this.options.isAlive ?? isAlive)(pid) ? 'silent' : 'dead';
  }

  async #beat(): Promise<void> {
    try {
      await this.database.write('eventual', () =>
        this.database.run('UPDATE owner SET beat = beat + 1 WHERE id = ?', this.id),
      );
    } catch {
      // The next beat tries again; what is sent meanwhile is checked in its own change.
    }
  }
}

/** Leases: what only one window at a time may do, such as work on a job. */
export class Leases {
  constructor(
    private readonly database: Database,
    private readonly owners: Owners,
  ) {}

  /**
   * Takes a lease that is free, or of an owner that is gone. False when another holds it, or this one does already: two
   * jobs of one window exclude one another as those of two windows do.
   */
  take(name: string): Promise<boolean> {
    return this.database.write('durable', () => {
      const holder = this.#holder(name);
      if (holder !== undefined) {
        if (!this.owners.isGone(holder)) return false;
        this.database.run('DELETE FROM owner WHERE id = ?', holder);
        this.database.run('DELETE FROM lease WHERE name = ?', name);
      }
      this.owners.register();
      this.database.run('INSERT INTO lease VALUES (?, ?)', name, this.owners.id);
      return true;
    });
  }

  /** Whether somebody holds it who is not known to be gone. */
  isHeld(name: string): boolean {
    const holder = this.#holder(name);
    return holder !== undefined && !this.owners.isGone(holder);
  }

  release(name: string): Promise<void> {
    return this.database.write('eventual', () => {
      this.database.run('DELETE FROM lease WHERE name = ? AND owner = ?', name, this.owners.id);
    });
  }

  /** Inside a change: throws unless this one holds the lease, and so undoes the change. */
  assertHeld(name: string): void {
    const holder = this.#holder(name);
    if (holder !== this.owners.id)
      throw new StoreProblem('notOwner', `The lease ${name} belongs to ${holder ?? 'nobody'}.`);
  }

  #holder(name: string): string | undefined {
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
