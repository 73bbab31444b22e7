import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/**
 * Names a workspace by its folders: the same in each window and terminal, with any storage folder of their editor.
 * @param places its folders, or its workspace file: absolute paths, where they are on this machine, or URIs; none: every
 * window without a folder is the same workspace
 */
export function workspaceId(places: readonly string[]): string {
  const names = new Set(places.map((place) => (isAbsolute(place) ? realPath(place) : place)));
  return createHash('sha256')
    .update(JSON.stringify([...names].sort()))
    .digest('hex')
    .slice(0, 32);
}

/** Without links, in the disk's own spelling. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
