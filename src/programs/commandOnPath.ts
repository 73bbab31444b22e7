import { constants } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

const ON_WINDOWS = process.platform === 'win32';

/**
 * A program's file in one of the absolute folders of `PATH`. Windows itself would look in the current folder first.
 * @param path value of `PATH`
 * @returns absolute path; undefined: there is none
 */
export async function commandOnPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter((one) => isAbsolute(one)))
    for (const extension of ['.exe', '.com', '']) {
      const file = join(folder, name + extension);
      if (await isProgram(file)) return file;
    }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    // Programs of the Microsoft Store are links that `stat` cannot follow.
    const facts = await stat(file).catch((error) => (ON_WINDOWS ? lstat(file) : Promise.reject(error)));
    await access(file, ON_WINDOWS ? constants.F_OK : constants.X_OK);
    return !facts.isDirectory();
  } catch {
    return false;
  }
}
