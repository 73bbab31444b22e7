import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../json';

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

/** Writes a file whole or not at all. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: FILE_MODE });
  chmodSync(draft, FILE_MODE);
  renameSync(draft, path);
}

/** The JSON object in a file; undefined when there is none. */
export function readJsonFile(path: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
