import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readFileAt } from '../experiments/files/door';
import { textOfFile } from '../runFiles/text';

const LONGEST_POINTER = 10_000;
const MOST_WORKTREES = 200;

/**
 * The other worktrees of the repository that a folder is the top of, absolute. Each must point to the repository as the
 * repository points to it, without links on the way: otherwise a folder could name any other of the disk.
 */
export async function worktreesOf(folder: string): Promise<string[]> {
  const own = await realpath(folder).catch(() => undefined);
  const common = own && (await commonFolder(own));
  if (common === undefined) return [];
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  const linked: string[] = [];
  for (const name of names.slice(0, MOST_WORKTREES)) {
    const tree = await linkedTree(common, name);
    if (tree !== undefined) linked.push(tree);
  }
  const main = basename(common) === '.git' ? [dirname(common)] : [];
  return [...main, ...linked].filter((tree) => tree !== own);
}

/**
 * The folder that all worktrees of a repository share, all links resolved; undefined: the folder is no worktree.
 * @param folder all links resolved
 */
async function commonFolder(folder: string): Promise<string | undefined> {
  const dotGit = join(folder, '.git');
  const facts = await lstat(dotGit).catch(() => undefined);
  if (facts?.isDirectory()) return dotGit;
  const pointer = await pointerIn(dotGit, /^gitdir: (.+)$/m);
  if (pointer === undefined) return undefined;
  const own = await realpath(resolve(folder, pointer)).catch(() => undefined);
  if (own === undefined || basename(dirname(own)) !== 'worktrees') return undefined;
  const common = dirname(dirname(own));
  return (await linkedTree(common, basename(own))) === folder ? common : undefined;
}

/** A worktree of a repository; undefined unless both name one another. @param common all links resolved */
async function linkedTree(common: string, name: string): Promise<string | undefined> {
  const own = join(common, 'worktrees', name);
  if ((await realpath(own).catch(() => undefined)) !== own) return undefined;
  const dotGit = await pointerIn(join(own, 'gitdir'), /^(.+)$/m);
  if (dotGit === undefined) return undefined;
  const tree = await realpath(dirname(resolve(own, dotGit))).catch(() => undefined);
  if (tree === undefined) return undefined;
  const back = await pointerIn(join(tree, '.git'), /^gitdir: (.+)$/m);
  return back !== undefined && (await realpath(resolve(tree, back)).catch(() => undefined)) === own
    ? tree
    : undefined;
}

async function pointerIn(path: string, line: RegExp): Promise<string | undefined> {
  const read = await readFileAt(path, LONGEST_POINTER).catch(() => undefined);
  return read && line.exec(textOfFile(read.bytes))?.[1]?.trim();
}
