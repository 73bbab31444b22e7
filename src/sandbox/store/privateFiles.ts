import { chmodSync, mkdirSync } from 'node:fs';

/** Files are readable by their owner only. */
export const FILE_MODE = 0o600;

/** Makes a folder that only its owner can open; one that exists keeps its mode: it may not be the sandbox's own. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** As `makeFolder`, for a folder that belongs to the sandbox: one that an older version made is closed to others. */
export function makeOwnFolder(path: string): void {
  makeFolder(path);
  chmodSync(path, 0o700);
}
