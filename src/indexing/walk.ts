import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** A file as a walk finds it. */
interface WalkedFile {
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

interface WalkProblem {
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
 * Finds files below a folder. A local disk serves them from memory: reading it synchronously, in short turns, is
 * several times faster than a promise for each file, and nothing else waits longer than a turn.
 */
export async function walk(folder: string, options: WalkOptions): Promise<Walked> {
  const walker = new Walker(options);
  const pending = [{ folder, rules: rulesAbove(folder, options) }];
  for (let next = pending.pop(); next; next = pending.pop()) pending.push(...(await walker.visit(next)));
  const { problems, leftOut } = walker;
  return { files: walker.files.sort((a, b) => (a.path < b.path ? -1 : 1)), problems, leftOut };
}

interface Visit {
  readonly folder: string;
  /** Those that hold for the folder itself. */
  readonly rules: readonly Rules[];
}

class Walker {
  readonly files: WalkedFile[] = [];
  readonly problems: WalkProblem[] = [];
  leftOut = 0;
  #isSlow = false;
  #turnEnds = performance.now() + TURN_MS;

  constructor(private readonly options: WalkOptions) {}

  /** Takes the files of one folder, and returns its folders. */
  async visit({ folder, rules: above }: Visit): Promise<readonly Visit[]> {
    const { respectGitignore, wants, signal } = this.options;
    const rules = respectGitignore ? withGitignore(folder, above) : above;
    const folders: Visit[] = [];
    try {
      for (const entry of await this.#entries(folder)) {
        const path = join(folder, entry.name);
        const isFolder = entry.isDirectory();
        // Links are not followed: they lead out of the folder, or in circles.
        if (!isFolder && !(entry.isFile() && wants(entry.name))) continue;
        if (isIgnored(path, isFolder, rules)) this.leftOut++;
        else if (isFolder) folders.push({ folder: path, rules });
        else {
          // Awaited only where there is something to wait for: a promise for each file takes longer than the file.
          const wait = this.#take(path);
          if (wait !== undefined) await wait;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      this.problems.push({ path: folder, error });
    }
    return folders;
  }

  #entries(folder: string) {
    return this.#isSlow
      ? fs.readdir(folder, { withFileTypes: true })
      : readdirSync(folder, { withFileTypes: true });
  }

  #take(path: string): Promise<void> | undefined {
    if (this.#isSlow) return this.#takeSlowly(path);
    const start = performance.now();
    try {
      this.#found(path, statSync(path));
    } catch (error) {
      this.problems.push({ path, error });
    }
    const now = performance.now();
    if (now - start > SLOW_MS) this.#isSlow = true;
    return now < this.#turnEnds ? undefined : this.#nextTurn();
  }

  async #takeSlowly(path: string): Promise<void> {
    try {
      this.#found(path, await fs.stat(path));
    } catch (error) {
      this.problems.push({ path, error });
    }
    this.options.signal?.throwIfAborted();
  }

  #found(path: string, { size, mtimeMs }: Stats): void {
    this.files.push({ path, sizeBytes: size, modifiedMs: Math.round(mtimeMs) });
  }

  async #nextTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.options.signal?.throwIfAborted();
    this.#turnEnds = performance.now() + TURN_MS;
  }
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

/**
 * `**∕*.{js,map}` becomes two globs: .gitignore rules have no braces. (picomatch has them, but is three times slower
 * here and 24 KB more; `ignore` is needed for .gitignore in any case.)
 */
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
