import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedWhenMissing } from '../../journal/undefinedWhenMissing';
import type { RunRecord } from './record';

/** The bounded copies of responses, one file a run. */
export class ResultFiles {
  constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  /** Writes the copy, cut at the bound, and returns the record's entry for it. */
  async write(
    id: string,
    result: { readonly bytes: Uint8Array; readonly contentType: string },
  ): Promise<NonNullable<RunRecord['result']>> {
    const file = nameOf(id);
    const sizeBytes = result.bytes.byteLength;
    await fs.mkdir(this.folder, { recursive: true });
    // Beside and renamed: another window never reads half a copy.
    const temporary = join(this.folder, `${file}.${process.pid}.new`);
    await fs.writeFile(temporary, result.bytes.subarray(0, this.maxBytes));
    await fs.rename(temporary, join(this.folder, file));
    return { file, contentType: result.contentType, sizeBytes, truncated: sizeBytes > this.maxBytes };
  }

  /** The copy, or undefined when there is none any more. */
  async read(record: RunRecord): Promise<Uint8Array | undefined> {
    if (!record.result) return undefined;
    // The name is made from the id again: a path in a damaged record is not followed.
    return fs.readFile(join(this.folder, nameOf(record.id))).catch(undefinedWhenMissing);
  }

  async remove(id: string): Promise<void> {
    await fs.rm(join(this.folder, nameOf(id)), { force: true });
  }

  /** Removes copies that no record owns, as a host that was killed between two writes leaves them. */
  async sweep(keptIds: Iterable<string>): Promise<void> {
    const kept = new Set([...keptIds].map(nameOf));
    const anHourAgo = Date.now() - 3_600_000;
    for (const name of (await fs.readdir(this.folder).catch(undefinedWhenMissing)) ?? []) {
      if (kept.has(name)) continue;
      const path = join(this.folder, name);
      // A young one may belong to a run that another window is just recording.
      const stats = await fs.stat(path).catch(undefinedWhenMissing);
      if (stats && stats.mtimeMs < anHourAgo) await fs.rm(path, { force: true });
    }
  }
}

/** Identifiers are made here and are UUIDs; anything else is hashed, so that a name never leaves the folder. */
function nameOf(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
}
