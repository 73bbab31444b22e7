import { readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Folders that are looked at, the outer ones first: links in others are not found. */
const MOST_FOLDERS = 3_000;
const NEVER_SEARCHED = new Set(['.git', 'node_modules']);

/** Links below a folder that lead out of it, as paths relative to it with "/". Those that cannot be followed are left out. */
export async function linksOut(root: string): Promise<string[]> {
  const realRoot = await realpath(root).catch(() => undefined);
  if (realRoot === undefined) return [];
  const links: string[] = [];
  // Grows while it is gone through.
  const folders = [''];
  for (const folder of folders.values()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        const real = await realpath(join(root, path)).catch(() => undefined);
        if (real !== undefined && !`${real}${sep}`.startsWith(withSeparator(realRoot))) links.push(path);
      } else if (entry.isDirectory() && !NEVER_SEARCHED.has(entry.name) && folders.length < MOST_FOLDERS)
        folders.push(path);
    }
  }
  return links;
}

/** The root of a disk ends with one already. */
function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}
