import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { type Walked, type WalkOptions, walk } from '../../src/intake/walk';
import { Turns } from '../../src/service/turns';

/** A folder on the disk that tests walk through: a new one for each test of the block that calls this. */
export function useWalkedFolder() {
  let root = '';
  beforeEach(async () => {
    root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'walk-')));
  });
  afterEach(() => fs.rm(root, { recursive: true, force: true }));
  return {
    get root() {
      return root;
    },
    async put(path: string, text = 'x'): Promise<void> {
      await fs.mkdir(join(root, path, '..'), { recursive: true });
      await fs.writeFile(join(root, path), text);
    },
    look: (options: Partial<WalkOptions<string>> = {}, folder = root): Promise<Walked<string>> =>
      walk(folder, {
        ...{ root, excluded: [], respectGitignore: true },
        wants: (name) => name.endsWith('.png'),
        file: (at, name) => at + name,
        turns: new Turns(options.signal),
        ...options,
      }),
    /** The files that were found, from the folder on, with slashes. */
    names: ({ files }: Walked<string>): string[] =>
      files.map((path) => path.slice(root.length + 1).replaceAll(sep, '/')),
  };
}
