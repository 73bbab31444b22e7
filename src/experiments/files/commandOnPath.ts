import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * A command without a folder as a file in one of the absolute folders of `PATH`; undefined: there is none. Windows itself
 * would look in the current folder first, which may be of a repository.
 */
export async function commandOnPath(name: string, path: string): Promise<string | undefined> {
  if (/[\\/:]/.test(name)) return name;
  for (const folder of path.split(delimiter).filter((one) => isAbsolute(one)))
    for (const extension of ['.exe', '.com', '']) {
      const file = join(folder, name + extension);
      const facts = await stat(file).catch(() => undefined);
      if (facts?.isFile()) return file;
    }
  return undefined;
}
