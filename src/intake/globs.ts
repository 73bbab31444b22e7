import { type PathMatcher, pathMatcher, TooManySteps, withoutBraces } from '../domain/pathPattern';
import { isHidden } from './inputFiles';

const LONGEST_GLOB = 1_000;
/** Of comparisons of characters: 100,000 files take some millions, and this many take half a second. */
const MOST_STEPS = 50_000_000;
/** Of the alternatives of all globs with braces together: hundreds of them would fill the memory. */
const MOST_CHARACTERS = 1_000_000;
const WILDCARD = /[*?[]/;

/** Paths and globs that name files below a folder, with "/" between their parts; “é” is the same composed or not. */
export class PathGlobs {
  /** Paths without wildcards, unchanged: each is a chosen file. */
  readonly paths: readonly string[];
  readonly unusable: readonly string[];
  /** The other globs take more work than they may: further paths match none of them. */
  isUsedUp = false;
  readonly #named: ReadonlySet<string>;
  readonly #globs: readonly { readonly matches: PathMatcher; readonly parts: readonly string[] }[];
  // For all paths together: the globs of a repository may be made to take long.
  readonly #budget = { steps: MOST_STEPS };

  constructor(globs: readonly string[]) {
    const paths: string[] = [];
    const unusable: string[] = [];
    const patterns: string[] = [];
    let left = MOST_CHARACTERS;
    for (const glob of globs) {
      const isShort = glob.length <= LONGEST_GLOB && (left > 0 || !glob.includes('{'));
      const alternatives = isShort ? withoutBraces(glob.replace(/^\.\//, '')) : undefined;
      if (alternatives && alternatives.length > 1)
        left -= alternatives.reduce((sum, { length }) => sum + length, 0);
      if (!alternatives) unusable.push(glob);
      for (const one of alternatives ?? []) {
        const literal = literalOf(one);
        if (literal === undefined) patterns.push(one.normalize('NFC'));
        else paths.push(literal);
      }
    }
    this.paths = paths;
    this.#named = new Set(paths.map((path) => path.normalize('NFC')));
    this.#globs = patterns.flatMap((pattern) => {
      // Cameras write endings in capitals.
      const matches = pathMatcher(pattern, true, true);
      if (!matches) unusable.push(pattern);
      return matches ? [{ matches, parts: pattern.split('/') }] : [];
    });
    this.unusable = unusable;
  }

  get hasGlobs(): boolean {
    return this.#globs.length > 0;
  }

  /** Hidden files are matched by their own paths only. */
  matches(path: string): boolean {
    const composed = path.normalize('NFC');
    if (this.#named.has(composed)) return true;
    const segments = composed.split('/');
    if (this.isUsedUp || segments.some(isHidden)) return false;
    try {
      return this.#globs.some(({ matches }) => matches(segments, this.#budget));
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      this.isUsedUp = true;
      return false;
    }
  }

  /** Whether a glob may match something in a folder. False is certain. */
  mayMatchBelow(folder: string): boolean {
    const segments = folder.normalize('NFC').split('/');
    if (segments.some(isHidden)) return false;
    return this.#globs.some(({ parts }) => {
      for (const [at, name] of segments.entries()) {
        const part = parts[at];
        if (part === '**') return true;
        if (part === undefined || (literalOf(part) ?? name) !== name) return false;
      }
      return parts.length > segments.length;
    });
  }
}

/** A glob without wildcards as the path that it names. */
function literalOf(glob: string): string | undefined {
  const path = glob.replaceAll(/\\(.)/g, '$1');
  return WILDCARD.test(glob.replaceAll(/\\./g, '')) ? undefined : path;
}
