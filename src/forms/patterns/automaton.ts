import type { CheckLimit } from '../work';
import type { Instruction } from './program';
import type { Assertion } from './syntax';

/** The state of a search between two characters. */
interface State {
  /** Instructions that wait for the next character, in order. */
  readonly waiting: readonly number[];
  readonly isStart: boolean;
  readonly afterWord: boolean;
  /** By the next character; "" is the end of the text. */
  readonly next: Map<string, State | 'found' | 'absent'>;
}

/** States and their ways are kept for the next text, up to this number of them. */
const MOST_STATES = 2000;
const WORD = /^\w$/;
/** The cost of a way to a new state and of following one instruction, relative to following a known way. */
const NEW_WAY = 20;
const FOLLOWED = 4;

/**
 * Finds whether a pattern matches somewhere in a text, in time linear in the text: all ways through the pattern are
 * followed at once, and states that were met are kept (a deterministic automaton made on demand).
 */
export class Automaton {
  private states = new Map<string, State>();
  private ways = 0;
  /** By instruction the round in which it was last met: cheaper than a set for each round. */
  private readonly met: Uint32Array;
  private round = 0;

  constructor(private readonly program: readonly Instruction[]) {
    this.met = new Uint32Array(program.length);
  }

  /** Undefined when `work` was used up. */
  test(text: string, work: CheckLimit): boolean | undefined {
    let state = this.state([], true, false);
    for (const character of text) {
      const next = this.advance(state, character, work);
      if (next === undefined) return undefined;
      if (next === 'found') return true;
      if (next === 'absent') return false;
      state = next;
    }
    const end = this.advance(state, '', work);
    return end === undefined ? undefined : end === 'found';
  }

  private advance(state: State, character: string, work: CheckLimit): State | 'found' | 'absent' | undefined {
    const known = state.next.get(character);
    if (!work.spend(known === undefined ? NEW_WAY : 1)) return undefined;
    if (known !== undefined) return known;
    const open = this.open(state, character, work);
    if (open === undefined) return undefined;
    const next = open === 'found' ? 'found' : this.after(open, character);
    this.ways += 1;
    state.next.set(character, next);
    return next;
  }

  /** The instructions for a character that can be reached without one; a match may begin at every place. */
  private open(state: State, character: string, work: CheckLimit): readonly number[] | 'found' | undefined {
    const boundary = state.afterWord !== WORD.test(character);
    const holds: Record<Assertion, boolean> = {
      start: state.isStart,
      end: character === '',
      wordBoundary: boundary,
      noWordBoundary: !boundary,
    };
    this.round += 1;
    let followed = 0;
    const pending = [...state.waiting, 0];
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

  private after(open: readonly number[], character: string): State | 'absent' {
    if (character === '') return 'absent';
    const waiting = open
      .filter((at) => {
        const instruction = this.program[at] as Instruction;
        return instruction.op === 'character' && instruction.matches(character);
      })
      .map((at) => at + 1)
      .toSorted((a, b) => a - b);
    return this.state(waiting, false, WORD.test(character));
  }

  private state(waiting: readonly number[], isStart: boolean, afterWord: boolean): State {
    const name = `${isStart} ${afterWord} ${waiting.join()}`;
    const known = this.states.get(name);
    if (known) return known;
    if (this.states.size > MOST_STATES || this.ways > MOST_STATES * 20) {
      this.states = new Map();
      this.ways = 0;
    }
    const state: State = { waiting, isStart, afterWord, next: new Map() };
    this.states.set(name, state);
    return state;
  }
}
