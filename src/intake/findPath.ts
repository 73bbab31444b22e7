import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The path of a file or folder as its disk spells it, where its name is composed otherwise than it was written: “é” is
 * one character or two, and which one depends on the system that made the file. Links are not followed here.
 * @param path with "/" between its parts, below the folder
 * @returns native; undefined where there is none
 */
export async function findPath(folder: string, path: string): Promise<string | undefined> {
  const whole = join(folder, path);
  if (await isThere(whole)) return whole;
  // Plain names have one spelling.
  if (/^[\x20-\x7e]*$/.test(path)) return undefined;
  let at = folder;
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    const next = (await isThere(join(at, part))) ? part : await spelled(at, part);
    if (next === undefined) return undefined;
    at = join(at, next);
  }
  return at;
}

async function spelled(folder: string, name: string): Promise<string | undefined> {
  const wanted = name.normalize('NFC');
  const names = await readdir(folder).catch(() => []);
  return names.find((one) => one.normalize('NFC') === wanted);
}

/** Also where it cannot be looked at: who reads it says why. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
