import { type Dirent, lstatSync, opendirSync, type Stats, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type Budget, TooManySteps } from '../domain/pathPattern';
import { globRules, type IgnoreRules, ignoreVerdict, readGitignore, UnusableRules } from './ignoreRules';
import { isHidden, isOwnOutput } from './inputFiles';
import type { WorkInTurns } from './table';

export interface Walked<File> {
  readonly files: readonly File[];
  readonly problems: readonly WalkProblem[];
  /** Files that were wanted, and whole folders, that the rules left out. */
  readonly leftOut: number;
  /** Files that were not wanted, hidden ones apart. */
  readonly unwanted: number;
  /** Links that are not used, and special files such as sockets. */
  readonly skipped: readonly SkippedPath[];
}

export interface SkippedPath {
  readonly path: string;
  /** `outside`: a link that leads out of the root. `broken`: one that leads nowhere. */
  readonly why: 'outside' | 'broken' | 'notAFile';
}

/** Why a path is not used, as a sentence. */
export function skippedText({ why }: SkippedPath): string {
  switch (why) {
    case 'outside':
      return l10n.t('It is a link that leads out of the folder, so it is not read.');
    case 'broken':
      return l10n.t('It is a link that leads nowhere.');
    case 'notAFile':
      return l10n.t('It is neither a file nor a folder.');
  }
}

interface WalkProblem {
  readonly path: string;
  readonly error: unknown;
}

export interface WalkOptions<File> {
  /** Folder to which `excluded` is relative, and from which .gitignore files count: the workspace folder. */
  readonly root: string;
  /** Globs of `files.exclude`. */
  readonly excluded: readonly string[];
  readonly respectGitignore: boolean;
  readonly wants: (filename: string) => boolean;
  /** Whether a folder, at a native path, is looked into. Missing: every one is. */
  readonly wantsFolder?: (path: string) => boolean;
  readonly turns: WorkInTurns;
  /**
   * The list entry of a file.
   * @param folder native path, with the separator
   * @param modifiedMs rounded, as VS Code's own stat does it
   */
  readonly file: (folder: string, name: string, sizeBytes: number, modifiedMs: number) => File;
  readonly signal?: AbortSignal;
}

/**
 * A disk that needs longer than this for each of some entries in a row (a network share) is read asynchronously. One
 * alone says nothing: another process had the core.
 */
const SLOW_MS = 5;
const SLOW_IN_A_ROW = 3;
const ENTRIES_AT_ONCE = 256;
/** Steps of the patterns for one path: a few milliseconds. Ordinary rules need some thousand. */
const STEPS_OF_A_PATH = 200_000;
/** Steps for all paths together: half a minute, in turns. */
const STEPS_OF_A_WALK = 2_000_000_000;

/**
 * Finds files below a folder. A local disk serves them from memory: reading it synchronously, in short turns, is
 * several times faster than a promise for each file, and other work waits for one turn at most. Hidden files and
 * folders, and those that hold results of experiments, are left out unless they are chosen themselves. A link to a file
 * inside the root is that file; one to a folder there is followed, unless the walk reaches it anyway or it leads in a
 * circle. Unused links are listed.
 */
export async function walk<File>(folder: string, options: WalkOptions<File>): Promise<Walked<File>> {
  const walker = new Walker(options);
  await walker.walk(folder);
  const { files, problems, leftOut, unwanted, skipped } = walker;
  return { files, problems, leftOut, unwanted, skipped };
}

interface OpenFolder {
  /** Its path, with the separator. */
  readonly start: string;
  /** Of its wanted files and its folders, which end with the separator, in their order. */
  readonly names: readonly string[];
  /** Those of the names that are links to files. */
  readonly links: ReadonlySet<string>;
  readonly rules: readonly RulesAbove[];
  /** The next of the names. */
  at: number;
}

/** Rules of `files.exclude`, or of a .gitignore, above or in a folder. */
interface RulesAbove {
  readonly rules: IgnoreRules;
  /** Of the folder, below that of the rules. */
  readonly segments: readonly string[];
}

class Walker<File> {
  readonly files: File[] = [];
  readonly problems: WalkProblem[] = [];
  readonly skipped: SkippedPath[] = [];
  readonly turns: WorkInTurns;
  leftOut = 0;
  unwanted = 0;
  #folder = '';
  /** Real paths of the folder and of those that links led to; looked up for the first link. */
  #entered: string[] | undefined;
  #realRoot: string | undefined;
  #slowInARow = 0;
  #stepsLeft = STEPS_OF_A_WALK;

  constructor(private readonly options: WalkOptions<File>) {
    this.turns = options.turns;
  }

  /** In the order of the paths, folder by folder: a stack of those that are open. */
  async walk(folder: string): Promise<void> {
    this.#folder = folder;
    const rules = await this.#guarded(folder, () => this.#rulesAbove(folder));
    const open: OpenFolder[] = [];
    const enter = async (path: string, rules: readonly RulesAbove[]) => {
      const entered = await this.#guarded(path, () => this.#opened(path, rules));
      if (entered) open.push(entered);
    };
    if (rules) await enter(folder, rules);
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const name = top.names[top.at++];
      if (name === undefined) open.pop();
      else if (name.endsWith(sep)) {
        const bare = name.slice(0, -1);
        const below = top.rules.map((one) => inFolder(one, bare));
        await enter(top.start + bare, below);
      } else if (this.#isSlow) await this.#lookSlowly(top.start, name, top.links.has(name));
      else this.#look(top.start, name, top.links.has(name));
      // Awaited only where there is something to wait for: a promise for each file takes longer than the file.
      if (this.turns.isOver) await this.turns.next();
    }
  }

  /** An error while reading a folder is noted, and the walk goes on. */
  async #guarded<T>(folder: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      this.options.signal?.throwIfAborted();
      const tooSlow = l10n.t('The rules of .gitignore and files.exclude take too long for this folder.');
      this.problems.push({
        path: folder,
        error: error instanceof TooManySteps ? new UnusableRules(tooSlow) : error,
      });
      return undefined;
    }
  }

  /** A folder with all its wanted files and its folders, or none where its rules fail. */
  async #opened(folder: string, above: readonly RulesAbove[]): Promise<OpenFolder> {
    const entries = await this.#entries(folder);
    const hasRules = this.options.respectGitignore && entries.some(({ name }) => name === '.gitignore');
    const rules = hasRules ? await this.#withGitignore(folder, above) : above;
    const wanted: string[] = [];
    const links = new Set<string>();
    const start = folder.endsWith(sep) ? folder : `${folder}${sep}`;
    const names = new Set(entries.map(({ name }) => name));
    let leftOut = 0;
    for (const entry of entries) {
      const { name } = entry;
      if (isHidden(name) || isOwnOutput(name, (other) => names.has(other))) continue;
      const kind = entry.isSymbolicLink()
        ? await this.#followed(start + name, name, rules)
        : entry.isDirectory()
          ? 'folder'
          : this.options.wants(name) && (entry.isFile() ? 'file' : 'notAFile');
      if (kind === 'notAFile') this.skipped.push({ path: start + name, why: 'notAFile' });
      if (kind === false && entry.isFile()) this.unwanted += 1;
      if (kind !== 'folder' && kind !== 'file') continue;
      const isFolder = kind === 'folder';
      if (isFolder && this.options.wantsFolder?.(start + name) === false) continue;
      if (!isFolder && entry.isSymbolicLink()) links.add(name);
      if (this.#isIgnored(name, isFolder, rules)) leftOut++;
      // The separator gives a folder the same sort position as the paths of its files.
      else wanted.push(isFolder ? `${name}${sep}` : name);
      if (this.turns.isOver) await this.turns.next();
    }
    this.leftOut += leftOut;
    return { start, names: wanted.sort(), links, rules, at: 0 };
  }

  /** The target of a link, if that is used. */
  async #followed(
    path: string,
    name: string,
    rules: readonly RulesAbove[],
  ): Promise<'file' | 'folder' | undefined> {
    const { root, wants, wantsFolder } = this.options;
    const facts = await fs.stat(path).catch(() => undefined);
    const isFolder = facts?.isDirectory() === true;
    const isWanted = isFolder ? wantsFolder?.(path) !== false : wants(name);
    if (!isWanted || this.#isIgnored(name, isFolder, rules)) return undefined;
    const skip = (why: SkippedPath['why']) => {
      this.skipped.push({ path, why });
      return undefined;
    };
    if (!facts) return skip('broken');
    const real = await fs.realpath(path);
    this.#realRoot ??= await fs.realpath(root);
    if (!isWithin(real, this.#realRoot)) return skip('outside');
    if (!isFolder) return facts.isFile() ? 'file' : skip('notAFile');
    this.#entered ??= [await fs.realpath(this.#folder)];
    if (this.#entered.some((one) => isWithin(real, one) || isWithin(one, real))) return undefined;
    this.#entered.push(real);
    return 'folder';
  }

  async #entries(folder: string): Promise<Dirent[]> {
    if (this.#isSlow) return fs.readdir(folder, { withFileTypes: true });
    const entries: Dirent[] = [];
    const start = performance.now();
    const open = opendirSync(folder, { bufferSize: ENTRIES_AT_ONCE });
    try {
      for (let entry = open.readSync(); entry; entry = open.readSync()) {
        if (entries.push(entry) === 1) this.#took(performance.now() - start);
        if (this.turns.isOver) await this.turns.next();
      }
    } finally {
      open.closeSync();
    }
    return entries;
  }

  #look(folder: string, name: string, isLink: boolean): void {
    const start = performance.now();
    try {
      this.#addFile(folder, name, (isLink ? statSync : lstatSync)(folder + name));
    } catch (error) {
      this.problems.push({ path: folder + name, error });
    }
    this.#took(performance.now() - start);
  }

  get #isSlow(): boolean {
    return this.#slowInARow >= SLOW_IN_A_ROW;
  }

  /** Once slow, a disk counts as slow to the end of the walk. */
  #took(ms: number): void {
    if (!this.#isSlow) this.#slowInARow = ms > SLOW_MS ? this.#slowInARow + 1 : 0;
  }

  async #lookSlowly(folder: string, name: string, isLink: boolean): Promise<void> {
    try {
      this.#addFile(folder, name, await (isLink ? fs.stat : fs.lstat)(folder + name));
    } catch (error) {
      this.problems.push({ path: folder + name, error });
    }
    this.options.signal?.throwIfAborted();
  }

  /** Ignores a file that was replaced since its folder was listed. */
  #addFile(folder: string, name: string, facts: Stats): void {
    if (facts.isFile())
      this.files.push(this.options.file(folder, name, facts.size, Math.round(facts.mtimeMs)));
  }

  /** @throws TooManySteps */
  #isIgnored(name: string, isFolder: boolean, rules: readonly RulesAbove[]): boolean {
    const steps = Math.min(STEPS_OF_A_PATH, this.#stepsLeft);
    const budget = { steps };
    try {
      return isIgnored(name, isFolder, rules, budget);
    } finally {
      this.#stepsLeft -= steps - Math.max(0, budget.steps);
    }
  }

  /** The rules that hold for a folder from outside it; undefined, and noted, where they leave out the folder itself. */
  async #rulesAbove(folder: string): Promise<readonly RulesAbove[] | undefined> {
    const { root, excluded, respectGitignore } = this.options;
    let rules: readonly RulesAbove[] = [{ rules: globRules(excluded), segments: [] }];
    let at = root;
    for (const segment of segmentsBelow(root, folder)) {
      if (respectGitignore) rules = await this.#withGitignore(at, rules);
      at = join(at, segment);
      if (this.#isIgnored(segment, true, rules)) {
        this.leftOut++;
        return undefined;
      }
      rules = rules.map((one) => inFolder(one, segment));
    }
    return rules;
  }

  async #withGitignore(folder: string, rules: readonly RulesAbove[]): Promise<readonly RulesAbove[]> {
    try {
      const own = await readGitignore(folder);
      if (own) return [...rules, { rules: own, segments: [] }];
      const reason = l10n.t('It is not a regular file, so its rules are not used.');
      this.problems.push({ path: join(folder, '.gitignore'), error: new UnusableRules(reason) });
    } catch (error) {
      // The effect of such rules is not known, so the folder is left out as a whole.
      if (!isMissing(error)) throw error;
    }
    return rules;
  }
}

/** `files.exclude` leaves out for good; among .gitignore files the deepest that says something has the word. */
function isIgnored(name: string, isFolder: boolean, above: readonly RulesAbove[], budget: Budget): boolean {
  for (let i = above.length - 1; i > 0; i--) {
    const own = verdictOf(above[i]!, name, isFolder, budget);
    if (own === 'ignored') return true;
    if (own === 'kept') break;
  }
  return verdictOf(above[0]!, name, isFolder, budget) === 'ignored';
}

function verdictOf({ rules, segments }: RulesAbove, name: string, isFolder: boolean, budget: Budget) {
  return rules.length === 0 ? undefined : ignoreVerdict(rules, [...segments, name], isFolder, budget);
}

function inFolder({ rules, segments }: RulesAbove, folder: string): RulesAbove {
  return { rules, segments: [...segments, folder] };
}

/** Empty where a path is not below the other. */
function segmentsBelow(base: string, path: string): string[] {
  const start = base.endsWith(sep) ? base : `${base}${sep}`;
  return path.startsWith(start) ? path.slice(start.length).split(sep) : [];
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
