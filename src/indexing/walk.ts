import { readdirSync, readFileSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** A file as a walk finds it. */
export interface WalkedFile {
  /** Native path. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Rounded, as VS Code's own stat does it. */
  readonly modifiedMs: number;
}

export interface Walked {
  readonly files: readonly WalkedFile[];
  readonly problems: readonly WalkProblem[];
  /** Files that were wanted, and whole folders, that the rules left out. */
  readonly leftOut: number;
}

export interface WalkProblem {
  readonly path: string;
  readonly error: unknown;
}

export interface WalkOptions {
  /** Folder to which `excluded` is relative, and from which .gitignore files count: the workspace folder. */
  readonly root: string;
  /** Globs of `files.exclude`. */
  readonly excluded: readonly string[];
  readonly respectGitignore: boolean;
  readonly wants: (filename: string) => boolean;
  readonly signal?: AbortSignal;
}

/** The event loop gets a turn after so many milliseconds of synchronous reading. */
const TURN_MS = 8;
/** A disk that needs longer than this for one entry (a network share) is read asynchronously. */
const SLOW_MS = 5;

/** Rules of one folder; paths are tested relative to it. */
interface Rules {
  readonly base: string;
  readonly rules: Ignore;
}

/**
 * Finds files below a folder. A local disk responses from memory: reading it synchronously, in short turns, is
 * several times faster than a promise for each file, and nobody else waits longer than a turn.
 */
export async function walk(folder: string, options: WalkOptions): Promise<Walked> {
  const files: WalkedFile[] = [];
  const problems: WalkProblem[] = [];
  const pending: { folder: string; rules: readonly Rules[] }[] = [
    { folder, rules: rulesAbove(folder, options) },
  ];
  let turnEnds = performance.now() + TURN_MS;
  let slow = false;
  let leftOut = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const rules = options.respectGitignore ? withGitignore(next.folder, next.rules) : next.rules;
    try {
      const entries = slow
        ? await fs.readdir(next.folder, { withFileTypes: true })
        : readdirSync(next.folder, { withFileTypes: true });
      for (const entry of entries) {
        const path = join(next.folder, entry.name);
        const isFolder = entry.isDirectory();
        // Links are not followed: they lead out of the folder, or round in circles.
        if (!isFolder && !(entry.isFile() && options.wants(entry.name))) continue;
        if (isIgnored(path, isFolder, rules)) {
          leftOut++;
          continue;
        }
        if (isFolder) {
          pending.push({ folder: path, rules });
          continue;
        }
        const start = performance.now();
        try {
          const { size, mtimeMs } = slow ? await fs.stat(path) : statSync(path);
          files.push({ path, sizeBytes: size, modifiedMs: Math.round(mtimeMs) });
        } catch (error) {
          problems.push({ path, error });
        }
        const now = performance.now();
        if (now - start > SLOW_MS) slow = true;
        if (now < turnEnds) continue;
        await new Promise((resolve) => setImmediate(resolve));
        options.signal?.throwIfAborted();
        turnEnds = performance.now() + TURN_MS;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      problems.push({ path: next.folder, error });
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, problems, leftOut };
}

function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  return rules.some(({ base, rules: own }) => {
    const relative = posixRelative(base, path);
    return relative !== undefined && own.ignores(isFolder ? `${relative}/` : relative);
  });
}

/** The rules that hold for a folder from outside it: `files.exclude`, and each .gitignore from the root down to it. */
function rulesAbove(folder: string, { root, excluded, respectGitignore }: WalkOptions): readonly Rules[] {
  let rules: readonly Rules[] = [
    { base: root, rules: ignore().add(excluded.flatMap(expandBraces).map(asIgnoreRule)) },
  ];
  const below = posixRelative(root, folder);
  if (!respectGitignore || below === undefined) return rules;
  let at = root;
  for (const segment of below.split('/')) {
    rules = withGitignore(at, rules);
    at = join(at, segment);
  }
  return rules;
}

function withGitignore(folder: string, rules: readonly Rules[]): readonly Rules[] {
  try {
    const text = readFileSync(join(folder, '.gitignore'), 'utf8');
    return [...rules, { base: folder, rules: ignore().add(text) }];
  } catch {
    return rules;
  }
}

/** `files.exclude` is a glob from the root; a rule of .gitignore without a slash would hold at any depth. */
function asIgnoreRule(glob: string): string {
  return glob.startsWith('**/') || glob.startsWith('/') ? glob : `/${glob}`;
}

/** `**∕*.{js,map}` becomes two globs: .gitignore rules know no braces. */
function expandBraces(glob: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (!braces) return [glob];
  const [whole, inside = ''] = braces;
  return inside.split(',').flatMap((choice) => expandBraces(glob.replace(whole, choice)));
}

function posixRelative(base: string, path: string): string | undefined {
  if (!path.startsWith(base) || path.length <= base.length) return undefined;
  return path.slice(base.length).replaceAll('\\', '/').replace(/^\//, '');
}
