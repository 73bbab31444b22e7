import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import {
  type Budget,
  LONGEST_PATTERN,
  type PathMatcher,
  pathMatcher,
  withoutBraces,
} from '../domain/pathPattern';

/** GitHub's longest template has 8 kB. */
const LARGEST_FILE = 256 * 2 ** 10;

/** As git has it by default: the disks of these systems do not distinguish cases. */
const FOLDS_CASE = process.platform === 'win32' || process.platform === 'darwin';
/**
 * Like git on macOS (core.precomposeunicode): names on that disk are composed or decomposed, depending on their
 * writer.
 */
const COMPOSES = process.platform === 'darwin';

/** The rules for names that the disks of a system share. */
export interface NameRules {
  /** Upper and lower case are the same. */
  readonly foldCase: boolean;
  /** “é” is the same as one character and as two. */
  readonly compose: boolean;
}

const OWN_RULES: NameRules = { foldCase: FOLDS_CASE, compose: COMPOSES };

interface Rule {
  readonly matches: PathMatcher;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** It is for composed names. */
  readonly composed: boolean;
}

/** The rules of one source for the files below one folder: that of a .gitignore, or the root of `files.exclude`. */
export type IgnoreRules = readonly Rule[];

/** Rules that cannot be used, so the files that they leave out are unknown. */
export class UnusableRules extends Error {
  override readonly name = 'UnusableRules';
}

/**
 * The rules of a folder's .gitignore.
 * @returns undefined where it is no regular file: like git, nothing follows a link there (it may never end, or lead out)
 * @throws UnusableRules for one that is too large
 */
export async function readGitignore(folder: string): Promise<IgnoreRules | undefined> {
  const path = join(folder, '.gitignore');
  if (!(await fs.lstat(path)).isFile()) return undefined;
  // Not on Windows, where these are undefined. A replaced file must not block.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await fs.open(path, flags);
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const bytes = Buffer.alloc(LARGEST_FILE + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead > LARGEST_FILE)
      throw new UnusableRules(l10n.t('The file .gitignore of this folder is too large to be used.'));
    return gitignoreRules(bytes.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/**
 * The lines of a .gitignore, by gitignore(5).
 * @throws UnusableRules for a line that is longer than any path
 */
export function gitignoreRules(text: string, names = OWN_RULES): IgnoreRules {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line) => {
      let pattern = withoutTrailingSpaces(line.replace(/\r$/, ''));
      if (pattern === '' || pattern.startsWith('#')) return [];
      if (pattern.length > LONGEST_PATTERN)
        throw new UnusableRules(
          l10n.t('A line of the file .gitignore of this folder is too long to be used.'),
        );
      const negated = pattern.startsWith('!');
      if (negated) pattern = pattern.slice(1);
      const foldersOnly = pattern.endsWith('/');
      if (foldersOnly) pattern = pattern.slice(0, -1);
      const matches = matcherOf(pattern.replace(/^\//, ''), pattern.includes('/'), names);
      return matches && pattern !== '' ? [{ matches, negated, foldersOnly, composed: names.compose }] : [];
    });
}

function matcherOf(
  pattern: string,
  anchored: boolean,
  { foldCase, compose }: NameRules,
): PathMatcher | undefined {
  return pathMatcher(compose ? composed(pattern) : pattern, anchored, foldCase);
}

function composed(name: string): string {
  return name.normalize('NFC');
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/**
 * The globs of `files.exclude`, each from the root on.
 * @throws UnusableRules for a glob with more alternatives in braces than can be looked through
 */
export function globRules(globs: readonly string[], names = OWN_RULES): IgnoreRules {
  return globs.flatMap(alternatives).flatMap((glob): Rule[] => {
    const matches = matcherOf(glob.replace(/^\/|\/$/g, ''), true, names);
    return matches ? [{ matches, negated: false, foldersOnly: false, composed: names.compose }] : [];
  });
}

function alternatives(glob: string): readonly string[] {
  const expanded = withoutBraces(glob);
  if (expanded) return expanded;
  throw new UnusableRules(
    l10n.t('A pattern of the setting files.exclude has too many alternatives to be used.'),
  );
}

/**
 * The verdict of the last rule that matches a path; undefined without a match.
 * @param segments of the path below the rules' folder
 * @throws TooManySteps
 */
export function ignoreVerdict(
  rules: IgnoreRules,
  segments: readonly string[],
  isFolder: boolean,
  budget: Budget,
): 'ignored' | 'kept' | undefined {
  // All rules of one system are alike in this.
  const names = rules[0]?.composed ? segments.map(composed) : segments;
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i] as Rule;
    if (rule.foldersOnly && !isFolder) continue;
    if (rule.matches(names, budget)) return rule.negated ? 'kept' : 'ignored';
  }
  return undefined;
}
