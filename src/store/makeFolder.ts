import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing. Node's own recursive `mkdir` never ends where a file system says
 * that a folder does not exist although its parent does, as /proc does.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse())
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process was first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
}
