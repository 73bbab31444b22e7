import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from './random';

/** The error of a dead process for every request to its surroundings. */
export class Dead extends Error {
  override readonly name = 'Dead';
}

interface Event {
  readonly at: number;
  readonly process?: SimProcess;
  readonly run: () => void;
}

const realImmediate = setImmediate;
/** The initial time of a wall clock without a step. */
export const EPOCH_MS = Date.UTC(2030, 0, 1);

/** One line of the events, for the story of a failure. */
export interface Line {
  readonly at: number;
  readonly text: string;
}

/** Time, and its events, one after another. */
export class World {
  /** True milliseconds since the beginning. */
  now = 0;
  steps = 0;
  readonly lines: Line[] = [];
  /** States of the product that were reached, and how often. */
  readonly marks = new Map<string, number>();
  /** The first violation; the simulation stops after it. */
  violation: Error | undefined;
  #events: Event[] = [];

  constructor(readonly random: Random) {}

  /** @param process it happens to: not while that is frozen, and never once it is dead */
  after(ms: number, run: () => void, process?: SimProcess): () => void {
    const event: Event = { at: this.now + Math.max(0, ms), run, ...(process && { process }) };
    this.#add(event);
    return () => {
      this.#events = this.#events.filter((other) => other !== event);
      process?.held.delete(event);
    };
  }

  tell(text: string): void {
    this.lines.push({ at: this.now, text });
  }

  /** Something that a test should have seen. */
  mark(state: string): void {
    this.marks.set(state, (this.marks.get(state) ?? 0) + 1);
  }

  fail(error: Error): void {
    this.violation ??= error;
  }

  /** Lets events happen until `isOver`, until no event is left, or until that time. False: `isOver` does not hold. */
  async run(isOver: () => boolean, untilMs: number): Promise<boolean> {
    await settled();
    while (!this.violation) {
      if (isOver()) return true;
      const event = this.#events[0];
      if (!event || event.at > untilMs) {
        this.now = Math.max(this.now, Math.min(untilMs, event?.at ?? untilMs));
        return isOver();
      }
      this.#events.shift();
      this.now = event.at;
      this.steps++;
      this.#happen(event);
      await settled();
    }
    return false;
  }

  thaw(process: SimProcess): void {
    process.isFrozen = false;
    process.runsSince = this.now;
    process.wasFrozen = true;
    for (const event of process.held) this.#add({ ...event, at: this.now });
    process.held.clear();
  }

  #happen(event: Event): void {
    const { process } = event;
    if (process && !process.isAlive) return;
    if (process?.isFrozen) {
      process.held.add(event);
      return;
    }
    try {
      if (process) process.run(event.run);
      else event.run();
    } catch (error) {
      // Errors of a dying process are no faults.
      if (!(error instanceof Dead)) this.fail(error as Error);
    }
  }

  #add(event: Event): void {
    let at = this.#events.length;
    while (at > 0 && this.#events[at - 1]!.at > event.at) at--;
    this.#events.splice(at, 0, event);
  }
}

/** Everything that waits for nothing but promises has gone on as far as it can. */
function settled(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve));
}

/** Whose code runs at this moment. */
const running = new AsyncLocalStorage<SimProcess>();
export const runningProcess = () => running.getStore();

/** A process of a computer: its effects outside end with it, at any point of its code. */
export class SimProcess {
  isAlive = true;
  /** Undefined while it lives. */
  diedAt: number | undefined;
  isFrozen = false;
  /** When it was last set going. */
  runsSince: number;
  /** It was stopped for a while: others may have taken it for gone. */
  wasFrozen = false;
  /** It cannot write to the store for a while. */
  isHindered = false;
  /** The error of its wall clock. */
  clockOffMs = 0;
  /** Events that are due once it is thawed. */
  readonly held = new Set<Event>();
  readonly #deaths: (() => void)[] = [];
  readonly #startedAt: number;

  constructor(
    readonly world: World,
    readonly pid: number,
    readonly name: string,
    readonly random: Random,
  ) {
    this.runsSince = world.now;
    this.#startedAt = world.now - random.next() * 1_000;
  }

  run<T>(work: () => T): T {
    return running.run(this, work);
  }

  /** Milliseconds since 1970. */
  get wallNow(): number {
    return Math.floor(EPOCH_MS + this.world.now + this.clockOffMs);
  }

  /** Milliseconds of a clock that never goes back. */
  get monotonicNow(): number {
    return this.world.now - this.#startedAt;
  }

  onDeath(listener: () => void): void {
    this.#deaths.push(listener);
  }

  /** @param how for the story */
  die(how: string): void {
    if (!this.isAlive) return;
    this.world.tell(`${this.name} ${how}`);
    this.isAlive = false;
    this.diedAt = this.world.now;
    for (const listener of this.#deaths) listener();
  }
}
