import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readFileAt } from '../experiments/files/door';
import { textOfFile } from '../runFiles/text';

const LONGEST_POINTER = 10_000;
const MOST_WORKTREES = 200;

/**
 * The other worktrees of the repository that a folder is the top of, absolute. Each must point to the repository as the
 * repository points to it: otherwise a repository could name any folder of the disk.
 */
export async function worktreesOf(folder: string): Promise<string[]> {
  const common = await commonFolder(folder);
  if (common === undefined) return [];
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  const linked: string[] = [];
  for (const name of names.slice(0, MOST_WORKTREES)) {
    const tree = await linkedTree(common, name);
    if (tree !== undefined) linked.push(tree);
  }
  const main = basename(common) === '.git' ? [dirname(common)] : [];
  const own = await realpath(folder).catch(() => folder);
  return [...main, ...linked].filter((tree) => tree !== own);
}

/** The folder that all worktrees of a repository share; undefined: the folder is no worktree. */
async function commonFolder(folder: string): Promise<string | undefined> {
  const dotGit = join(folder, '.git');
  const pointer = await pointerIn(dotGit, /^gitdir: (.+)$/m);
  if (pointer === undefined) {
    const inside = await pointerIn(join(dotGit, 'HEAD'), /^(.+)$/m);
    return inside === undefined ? undefined : realpath(dotGit).catch(() => undefined);
  }
  const own = await realpath(resolve(folder, pointer)).catch(() => undefined);
  if (own === undefined || basename(dirname(own)) !== 'worktrees') return undefined;
  const common = dirname(dirname(own));
  const tree = await linkedTree(common, basename(own));
  return tree === (await realpath(folder).catch(() => undefined)) ? common : undefined;
}

/** A worktree of a repository; undefined unless both name one another. */
async function linkedTree(common: string, name: string): Promise<string | undefined> {
  const own = join(common, 'worktrees', name);
  const dotGit = await pointerIn(join(own, 'gitdir'), /^(.+)$/m);
  if (dotGit === undefined) return undefined;
  const tree = await realpath(dirname(resolve(own, dotGit))).catch(() => undefined);
  if (tree === undefined) return undefined;
  const back = await pointerIn(join(tree, '.git'), /^gitdir: (.+)$/m);
  const main = back === undefined ? undefined : await realpath(resolve(tree, back)).catch(() => undefined);
  return main === (await realpath(own).catch(() => undefined)) ? tree : undefined;
}

async function pointerIn(path: string, line: RegExp): Promise<string | undefined> {
  const read = await readFileAt(path, LONGEST_POINTER).catch(() => undefined);
  return read && line.exec(textOfFile(read.bytes))?.[1]?.trim();
}
