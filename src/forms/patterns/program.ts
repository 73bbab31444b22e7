import { assertNever } from '../../domain/assertNever';
import type { Assertion, PatternNode } from './syntax';

/** An instruction of a nondeterministic automaton (Thompson's construction); `to` are indexes of instructions. */
export type Instruction =
  | { readonly op: 'character'; readonly matches: (character: string) => boolean }
  | { readonly op: 'assertion'; readonly holds: Assertion }
  | { readonly op: 'fork'; readonly to: number[] }
  | { readonly op: 'match' };

/** The number of instructions that a pattern becomes. */
export function patternLength(node: PatternNode): number {
  switch (node.kind) {
    case 'character':
    case 'assertion':
      return 1;
    case 'sequence':
      return sum(node.parts.map(patternLength));
    case 'choice':
      return 1 + sum(node.options.map((option) => patternLength(option) + 1));
    case 'repeat': {
      const once = patternLength(node.part);
      const isOpen = node.most === Number.POSITIVE_INFINITY;
      const copies = isOpen ? node.least + 1 : Math.max(node.least, node.most);
      return copies * (once + 1) + 1;
    }
    default:
      return assertNever(node);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The automaton of a pattern, with its counted repetitions written out: see `patternLength`. */
export function compilePattern(pattern: PatternNode): readonly Instruction[] {
  const program = new Program();
  program.add(pattern);
  return [...program.instructions, { op: 'match' }];
}

class Program {
  readonly instructions: Instruction[] = [];

  add(node: PatternNode): void {
    switch (node.kind) {
      case 'character':
        this.instructions.push({ op: 'character', matches: characterTest(node.source) });
        return;
      case 'assertion':
        this.instructions.push({ op: 'assertion', holds: node.holds });
        return;
      case 'sequence':
        for (const part of node.parts) this.add(part);
        return;
      case 'choice':
        this.choice(node.options);
        return;
      case 'repeat':
        this.repeat(node.part, node.least, node.most);
        return;
      default:
        assertNever(node);
    }
  }

  private choice(options: readonly PatternNode[]): void {
    const start = this.fork();
    const ends: number[][] = [];
    for (const option of options) {
      start.push(this.instructions.length);
      this.add(option);
      ends.push(this.fork());
    }
    for (const end of ends) end.push(this.instructions.length);
  }

  private repeat(part: PatternNode, least: number, most: number): void {
    for (let count = 0; count < least; count += 1) this.add(part);
    const skips: number[][] = [];
    if (most === Number.POSITIVE_INFINITY) {
      const loop = this.instructions.length;
      skips.push(this.fork(loop + 1));
      this.add(part);
      this.fork(loop);
    } else
      for (let count = least; count < most; count += 1) {
        skips.push(this.fork(this.instructions.length + 1));
        this.add(part);
      }
    for (const skip of skips) skip.push(this.instructions.length);
  }

  private fork(...to: number[]): number[] {
    this.instructions.push({ op: 'fork', to });
    return to;
  }
}

const tests = new Map<string, (character: string) => boolean>();

/** The condition on one character, as the platform's RegExp reads it: it never sees more than that character. */
function characterTest(source: string): (character: string) => boolean {
  const known = tests.get(source);
  if (known) return known;
  const literal = /^[^\\[.]$/u.test(source);
  const one = literal ? undefined : new RegExp(`^${source}$`, 'u');
  const test = one ? (character: string) => one.test(character) : (character: string) => character === source;
  if (tests.size > 1000) tests.clear();
  tests.set(source, test);
  return test;
}
