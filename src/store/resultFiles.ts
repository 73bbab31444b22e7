import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';

/** Larger copies of responses are files of their own: a row that large slows down its neighbours. */
export const INLINE_BYTES = 256 * 1024;
/** A young file may belong to a run that another window is just recording. */
const YOUNG_MS = 3_600_000;

/** Copies of responses as files, each named by the hash of its content: the same content is one file. */
export class ResultFiles {
  constructor(readonly folder: string) {}

  /** Resolves to the file's name, when it is on the disk. */
  async write(bytes: Uint8Array): Promise<string> {
    const name = createHash('sha256').update(bytes).digest('hex');
    const path = join(this.folder, name);
    await fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
    const now = new Date();
    // An existing file gets a new time, so that no sweep removes it before its row is written.
    if (
      await fs.utimes(path, now, now).then(
        () => true,
        () => false,
      )
    )
      return name;
    const partial = `${path}.${process.pid}.new`;
    await fs.writeFile(partial, bytes, { mode: 0o600, flush: true });
    await fs.rename(partial, path);
    return name;
  }

  /** The content, or undefined when there is none any more. */
  async read(name: string): Promise<Uint8Array | undefined> {
    // The name in a damaged row must not become a path.
    if (!/^[0-9a-f]{64}$/.test(name)) return undefined;
    return fs.readFile(join(this.folder, name)).catch(undefinedWhenMissing);
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  remove(name: string): void {
    rmSync(join(this.folder, name), { force: true });
  }

  /** Removes files that nothing owns, as a process that was killed between file and row leaves them. */
  async sweep(isOwned: (name: string) => boolean): Promise<void> {
    for (const name of (await fs.readdir(this.folder).catch(undefinedWhenMissing)) ?? []) {
      if (isOwned(name)) continue;
      const path = join(this.folder, name);
      const stats = await fs.stat(path).catch(undefinedWhenMissing);
      if (stats && Date.now() - stats.mtimeMs > YOUNG_MS) await fs.rm(path, { force: true });
    }
  }
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
