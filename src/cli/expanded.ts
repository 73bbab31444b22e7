import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PathGlobs } from '../intake/globs';
import { isOwnOutput } from '../intake/inputFiles';

/**
 * The files named in a call, with patterns expanded: cmd.exe, PowerShell and quoted arguments leave them. A name that
 * is a file, or a pattern that matches none, stays.
 * @param here folder of the call
 * @param areInputs no pattern names a result
 */
export async function expanded(names: readonly string[], here: string, areInputs = false): Promise<string[]> {
  return (await Promise.all(names.map((name) => filesOf(name, here, areInputs)))).flat();
}

async function filesOf(name: string, here: string, areInputs: boolean): Promise<string[]> {
  const path = process.platform === 'win32' ? name.replaceAll('\\', '/') : name;
  const wildcard = path.search(/[*?[{]/);
  if (wildcard === -1 || existsSync(resolve(here, name))) return [name];
  const start = path.slice(0, path.lastIndexOf('/', wildcard) + 1);
  const glob = path.slice(start.length);
  const globs = new PathGlobs([glob]);
  // Alternatives without wildcards are paths, which no folder has to be searched for.
  const files = new Set(
    globs.paths.filter((file) => existsSync(resolve(here, start, file))).map((file) => start + file),
  );
  const look = async (below: string): Promise<void> => {
    const entries = await readdir(join(resolve(here, start), below), { withFileTypes: true }).catch(() => []);
    const there = new Set(entries.map((entry) => entry.name));
    for (const entry of entries) {
      if (areInputs && isOwnOutput(entry.name, (other) => there.has(other))) continue;
      const file = `${below}${entry.name}`;
      if (entry.isDirectory()) {
        if (globs.mayMatchBelow(file)) await look(`${file}/`);
      } else if (globs.matches(file)) files.add(start + file);
    }
  };
  await look('');
  return files.size === 0 ? [name] : [...files].sort();
}
