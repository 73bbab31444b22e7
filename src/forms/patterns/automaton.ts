import type { CheckLimit } from '../work';
import type { Instruction } from './program';
import type { Assertion } from './syntax';

const WORD = /^\w$/;
/** The cost of following one instruction, in steps. */
const FOLLOWED = 2;

/**
 * Finds whether a pattern matches somewhere in a text, in time linear in the text: all ways through the pattern are
 * followed at once.
 */
export class Automaton {
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
