import type { CheckLimit } from '../work';
import { Automaton } from './automaton';
import { compilePattern, patternLength } from './program';
import { type PatternNode, parsePattern } from './syntax';

/** Longer patterns are left to the service: forms do not have them. */
const MAX_LENGTH = 5000;
const MOST_KEPT = 2000;
/** Counted repetitions (`{3,2000}`) are written out; a pattern that becomes longer than this is left to the service. */
const MOST_INSTRUCTIONS = 12_000;
/** Reading a pattern that is not kept, in steps, besides one for each character: about 10 µs. */
const READ = 200;
/** The cost of trying a pattern and of making each of its instructions, in steps. */
const TRIED = 10;
const MADE = 10;

interface Pattern {
  readonly tree: PatternNode;
  readonly length: number;
  automaton?: Automaton;
}

const patterns = new Map<string, Pattern | undefined>();

/** Whether a schema's pattern can be checked here. If not, only the service knows whether a text matches. */
export function isCheckable(pattern: string): boolean {
  return patternOf(pattern) !== undefined;
}

/**
 * Whether a text matches a schema's pattern (anywhere, as JSON Schema wants it); undefined when that is not known: the
 * pattern is no regular expression of ECMA-262, looks around or back, or there was not enough work left for the text.
 */
export function matchesPattern(pattern: string, text: string, work: CheckLimit): boolean | undefined {
  // Before anything is done: a schema may have more patterns than are kept, and a value as many members.
  if (work.isUsedUp || (!patterns.has(pattern) && !work.spend(READ + pattern.length))) return undefined;
  const known = patternOf(pattern);
  if (!known) return undefined;
  if (!work.spend(known.automaton ? TRIED : known.length * MADE)) return undefined;
  known.automaton ??= new Automaton(compilePattern(known.tree));
  return known.automaton.test(text, work);
}

function patternOf(pattern: string): Pattern | undefined {
  if (patterns.has(pattern)) return patterns.get(pattern);
  if (patterns.size >= MOST_KEPT) patterns.clear();
  const read = readPattern(pattern);
  patterns.set(pattern, read);
  return read;
}

function readPattern(pattern: string): Pattern | undefined {
  if (pattern.length > MAX_LENGTH) return undefined;
  const readable = [pattern, withoutSloppyEscapes(pattern)].find(compiles);
  const tree = readable === undefined ? undefined : parsePattern(readable);
  const length = tree && patternLength(tree);
  return tree && length !== undefined && length <= MOST_INSTRUCTIONS ? { tree, length } : undefined;
}

/** Whether the platform reads it: the schema's drafts want the `u` flag. */
function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The same pattern with escapes and hyphens written as the `u` flag wants them. */
function withoutSloppyEscapes(pattern: string): string {
  const tokens = pattern.match(/\\[\s\S]|[\s\S]/g) ?? [];
  const isClass = (token: string | undefined) => token !== undefined && /^\\[wdsWDS]$/.test(token);
  let inBrackets = false;
  return tokens
    .map((token, index) => {
      if (token === '[') inBrackets = true;
      if (token === ']') inBrackets = false;
      if (token === '-' && inBrackets && (isClass(tokens[index - 1]) || isClass(tokens[index + 1])))
        return '\\-';
      if (token === '\\-') return inBrackets ? token : '-';
      return /^\\[_@#%&=:;,<>!"'~` ]$/.test(token) ? token.slice(1) : token;
    })
    .join('');
}
