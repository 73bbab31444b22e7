import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type HeldLock, tryLock } from '../journal/lock';

/**
 * Which window a run belongs to. Each window holds a lock of its own for as long as it lives; a lock that can
 * be taken belonged to a window that is gone, and so do its runs.
 */
export class Session {
  private constructor(
    readonly id: string,
    private readonly folder: string,
    private readonly lock: HeldLock | undefined,
  ) {}

  static async start(folder: string): Promise<Session> {
    await fs.mkdir(folder, { recursive: true });
    const id = randomUUID();
    return new Session(id, folder, await tryLock(join(folder, id)));
  }

  /** Whether the window of this session is surely gone. A killed one keeps its lock for some seconds. */
  async isOver(session: string | undefined): Promise<boolean> {
    if (session === this.id) return false;
    if (session === undefined || !/^[\w-]{1,64}$/.test(session)) return true;
    const lock = await tryLock(join(this.folder, session));
    await lock?.release();
    return lock !== undefined;
  }

  async end(): Promise<void> {
    await this.lock?.release();
  }
}
