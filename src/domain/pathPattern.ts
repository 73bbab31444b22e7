/**
 * Patterns as gitignore(5) has them, matched in steps that are counted. The libraries at hand (ignore, picomatch,
 * minimatch) make regular expressions of them, and those of a hostile repository take minutes: “a/**∕” eight times,
 * `*a*a*a*b`. Here a star only ever goes back to the last star, so that a match takes at most pattern × path steps.
 */

export interface Budget {
  steps: number;
}

/** A match took more steps than it may. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** Matches a path below the pattern's folder, as its segments. */
export type PathMatcher = (segments: readonly string[], budget: Budget) => boolean;

const STAR = Symbol('*');
const ANY = Symbol('?');
const GLOBSTAR = Symbol('**');

type CharacterClass = (character: string) => boolean;
type Token = typeof STAR | typeof ANY | string | CharacterClass;
type Segment = typeof GLOBSTAR | readonly Token[];

/** Longer than any path: a longer pattern is made to take long. */
export const LONGEST_PATTERN = 4_096;
const MOST_ALTERNATIVES = 1_000;

/** `**∕*.{js,map}` as two globs: patterns have no braces. Undefined: more of them than can be looked through. */
export function withoutBraces(glob: string): readonly string[] | undefined {
  if (glob.length > LONGEST_PATTERN) return undefined;
  let open = [glob];
  const done: string[] = [];
  while (open.length > 0) {
    if (open.length + done.length > MOST_ALTERNATIVES) return undefined;
    open = open.flatMap((one) => {
      // A backslash makes a brace a character of a name.
      const braces = /(?<!\\)((?:\\\\)*)\{((?:[^{}\\]|\\.)*)\}/s.exec(one);
      if (!braces) {
        done.push(one);
        return [];
      }
      const [whole, before = '', inside = ''] = braces;
      const start = one.slice(0, braces.index) + before;
      const end = one.slice(braces.index + whole.length);
      return choicesOf(inside).map((choice) => start + choice + end);
    });
  }
  return done;
}

/** The parts between commas that are not escaped, up to one more than there may be. */
function choicesOf(inside: string): string[] {
  const choices: string[] = [];
  let start = 0;
  for (let at = 0; at <= inside.length && choices.length <= MOST_ALTERNATIVES; at++) {
    if (inside[at] === '\\') at++;
    else if (at === inside.length || inside[at] === ',') {
      choices.push(inside.slice(start, at));
      start = at + 1;
    }
  }
  return choices;
}

/**
 * @param pattern without `!` and without a trailing slash
 * @param anchored whether it holds from the folder on; else for a name at any depth
 * @param foldCase whether upper and lower case are the same, as on the disks of Windows and macOS
 * @returns undefined for a pattern that is not valid (or longer than `LONGEST_PATTERN`) and, as in git, matches
 * nothing
 */
export function pathMatcher(pattern: string, anchored: boolean, foldCase: boolean): PathMatcher | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  const segments = segmentsOf(pattern, foldCase);
  if (!segments) return undefined;
  // “a/**” means the content, not the folder itself.
  if (segments.length > 1 && segments.at(-1) === GLOBSTAR) segments.push([STAR]);
  const fold = (text: string) => (foldCase ? text.toLowerCase() : text);
  const only = nameAtAnyDepth(segments, anchored);
  // Most patterns in use are plain names, for which 100,000 files need no machine.
  const literal = only?.every((token) => typeof token === 'string') ? only.join('') : undefined;
  if (literal !== undefined) return (path) => fold(path.at(-1) ?? '') === literal;
  if (only) return (path, budget) => segmentMatches(only, fold(path.at(-1) ?? ''), budget);
  return (path, budget) =>
    wildcardMatch(segments, path, GLOBSTAR, budget, (segment, name) =>
      typeof segment === 'symbol' ? false : segmentMatches(segment, fold(name), budget),
    );
}

/** The one segment of a pattern that says nothing of the folders above a name: `name`, or `**∕name`. */
function nameAtAnyDepth(segments: readonly Segment[], anchored: boolean): readonly Token[] | undefined {
  const [first, second] = segments;
  const name = first === GLOBSTAR ? second : anchored ? undefined : first;
  return segments.length === (first === GLOBSTAR ? 2 : 1) && name !== GLOBSTAR ? name : undefined;
}

function segmentMatches(tokens: readonly Token[], name: string, budget: Budget): boolean {
  return wildcardMatch(tokens, name, STAR, budget, tokenMatches);
}

function tokenMatches(token: Token, character: string): boolean {
  if (typeof token === 'string') return token === character;
  return typeof token === 'function' ? token(character) : token === ANY;
}

/**
 * Whether a list matches all of a pattern, in which `wild` matches any number of elements. Between two of them the
 * pattern has a fixed length, so that only the last one ever needs to take more.
 * @throws TooManySteps
 */
function wildcardMatch<P, E>(
  pattern: readonly P[],
  list: ArrayLike<E>,
  wild: P,
  budget: Budget,
  matches: (part: P, element: E) => boolean,
): boolean {
  let at = 0;
  let wildAt = -1;
  let wildEnds = 0;
  for (let i = 0; i < list.length; ) {
    if (--budget.steps < 0) throw new TooManySteps();
    const part = pattern[at];
    if (at < pattern.length && part === wild) {
      wildAt = at++;
      wildEnds = i;
    } else if (at < pattern.length && matches(part as P, list[i] as E)) {
      at++;
      i++;
    } else if (wildAt >= 0) {
      at = wildAt + 1;
      i = ++wildEnds;
    } else return false;
  }
  while (at < pattern.length && pattern[at] === wild) at++;
  return at === pattern.length;
}

/** Undefined: a class without its end, or a trailing backslash. */
function segmentsOf(pattern: string, foldCase: boolean): Segment[] | undefined {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  let start = 0;
  const fold = (text: string) => (foldCase ? text.toLowerCase() : text);
  for (let i = 0; i <= pattern.length; i++) {
    const character = pattern[i];
    const isEscapedSlash = character === '\\' && pattern[i + 1] === '/';
    if (character === undefined || character === '/' || isEscapedSlash) {
      segments.push(pattern.slice(start, i) === '**' ? GLOBSTAR : tokens);
      tokens = [];
      if (isEscapedSlash) i++;
      start = i + 1;
    } else if (character === '*') {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (character === '?') tokens.push(ANY);
    else if (character === '\\') {
      const escaped = pattern[++i];
      if (escaped === undefined) return undefined;
      tokens.push(fold(escaped));
    } else if (character === '[') {
      const read = classAt(pattern, i + 1, foldCase);
      if (!read) return undefined;
      tokens.push(read.matches);
      i = read.end;
    } else tokens.push(fold(character));
  }
  return segments;
}

const NAMED: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-/:-@[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: 'a-fA-F0-9',
};

/** The class that begins at `start`, after its bracket; `end` is the place of the closing one. */
function classAt(
  pattern: string,
  start: number,
  foldCase: boolean,
): { readonly matches: CharacterClass; readonly end: number } | undefined {
  // A bracket right at the beginning is a member.
  const [whole, not = '', members = ''] =
    /^([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\\\]])*)\]/s.exec(pattern.slice(start)) ?? [];
  if (whole === undefined || members === '') return undefined;
  let isKnown = true;
  const source = members.replaceAll(
    /\[:([a-z]+):\]|\\?(.)/gs,
    (all, name: string | undefined, one: string) => {
      if (name !== undefined) isKnown &&= Object.hasOwn(NAMED, name);
      if (name !== undefined) return NAMED[name] ?? '';
      return all === '-' || /\w/.test(one) ? one : `\\${one}`;
    },
  );
  if (!isKnown) return undefined;
  try {
    const test = new RegExp(`[${not && '^'}${source}]`, foldCase ? 'i' : '');
    return { matches: (one) => test.test(one), end: start + whole.length - 1 };
  } catch {
    return undefined;
  }
}
