import type { CheckLimit } from '../work';
import { compilePattern, type Instruction, patternLength } from './program';
import { type Assertion, type PatternNode, parsePattern } from './syntax';

const WORD = /^\w$/;
/** The cost of following one instruction, in steps. */
const FOLLOWED = 2;

/**
 * Finds whether a pattern matches somewhere in a text, in time linear in the text: all ways through the pattern are
 * followed at once.
 */
class Automaton {
  /** By instruction the round in which it was last met: cheaper than a set for each round. */
  private readonly met: Uint32Array;
  private round = 0;

  constructor(private readonly program: readonly Instruction[]) {
    this.met = new Uint32Array(program.length);
  }

  /** Undefined when `work` was used up. */
  test(text: string, work: CheckLimit): boolean | undefined {
    let waiting: readonly number[] = [];
    let before: string | undefined;
    // "" is the end of the text.
    for (const character of [...text, '']) {
      const open = this.open(waiting, before, character, work);
      if (open === undefined) return undefined;
      if (open === 'found') return true;
      waiting = open.filter((at) => this.takes(at, character)).map((at) => at + 1);
      before = character;
    }
    return false;
  }

  /** The instructions for a character that can be reached without one; a match may begin at every place. */
  private open(
    waiting: readonly number[],
    before: string | undefined,
    character: string,
    work: CheckLimit,
  ): readonly number[] | 'found' | undefined {
    const boundary = WORD.test(before ?? '') !== WORD.test(character);
    const holds: Record<Assertion, boolean> = {
      start: before === undefined,
      end: character === '',
      wordBoundary: boundary,
      noWordBoundary: !boundary,
    };
    this.round += 1;
    let followed = 0;
    const pending = [...waiting, 0];
    const open: number[] = [];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (this.met[at] === this.round) continue;
      this.met[at] = this.round;
      followed += 1;
      const instruction = this.program[at] as Instruction;
      if (instruction.op === 'match') return 'found';
      if (instruction.op === 'fork') for (const to of instruction.to) pending.push(to);
      else if (instruction.op === 'character') open.push(at);
      else if (holds[instruction.holds]) pending.push(at + 1);
    }
    return work.spend(followed * FOLLOWED) ? open : undefined;
  }

  private takes(at: number, character: string): boolean {
    const instruction = this.program[at] as Instruction;
    return character !== '' && instruction.op === 'character' && instruction.matches(character);
  }
}

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
