import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type HeldLock, lookAtLock, tryLock } from '../../journal/lock';

/** After so many checks of a lock that its process does not touch, the process number belongs to another program. */
const LOOKS_AT_UNTOUCHED = 10;

/**
 * Which window a run belongs to. Each window holds a lock of its own for as long as it lives; when it is no
 * longer held, the window is gone, and so are its runs.
 */
export class Session {
  #lock: HeldLock | undefined;
  #ended = false;
  readonly #untouched = new Map<string, { readonly touchedAt: number; looks: number }>();

  private constructor(
    readonly id: string,
    private readonly folder: string,
  ) {}

  static async start(folder: string): Promise<Session> {
    await fs.mkdir(folder, { recursive: true });
    const session = new Session(randomUUID(), folder);
    await session.#hold();
    return session;
  }

  /**
   * Whether the window of this session is surely gone. Its lock is never taken to find out, and one that is merely
   * old does not prove that its process is gone: after a machine's sleep, or when a window was too busy to touch it,
   * every lock is old.
   */
  async isOver(session: string | undefined): Promise<boolean> {
    if (session === this.id) return false;
    if (session === undefined || !/^[\w-]{1,64}$/.test(session)) return true;
    const seen = await lookAtLock(join(this.folder, session));
    if (!seen || seen.holder === 'dead') return true;
    if (!seen.stale) return false;
    return seen.holder === 'elsewhere' || this.#staysUntouched(session, seen.touchedAt);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#lock?.release();
  }

  async #hold(): Promise<void> {
    this.#lock = await tryLock(join(this.folder, this.id));
    this.#lock?.lost.addEventListener('abort', () => {
      if (!this.#ended) void this.#hold().catch(() => undefined);
    });
  }

  /** A process number may have gone to another program since: that one never touches the lock. */
  #staysUntouched(session: string, touchedAt: number): boolean {
    const before = this.#untouched.get(session);
    const looks = before?.touchedAt === touchedAt ? before.looks + 1 : 1;
    this.#untouched.set(session, { touchedAt, looks });
    return looks >= LOOKS_AT_UNTOUCHED;
  }
}
