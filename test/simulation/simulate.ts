import { compareCalls } from './agentCalls';
import { Disk } from './disk';
import { comparePlan, compareSpending, compareWithService } from './finalCompare';
import { Folder } from './folder';
import { Judge, Violation } from './judge';
import { Network } from './network';
import { comparePanelRuns } from './panelRuns';
import { Random } from './random';
import type { Scenario } from './scenario';
import { SimService } from './service';
import { withSimulatedTime } from './time';
import { Troubles } from './troubles';
import type { Surroundings } from './window';
import { type Slot, stackOf, Windows } from './windows';
import { Dead, type Line, World } from './world';

export interface Outcome {
  readonly scenario: Scenario;
  /** Undefined: every promise held. */
  readonly violation?: Error;
  readonly lines: readonly Line[];
  readonly steps: number;
  readonly sentRuns: number;
  readonly unconfirmed: number;
  readonly marks: ReadonlyMap<string, number>;
}

/** Simulated time after the last trouble in which everything must come to its end. */
const PATIENCE_MS = 3 * 3_600_000;
/** A window that was killed, or gave up, is known to be gone after this time. */
const FOUND_MS = 120_000;
/** By then a window that opens is open, and a plan of the folder is made. */
const PLANNED_MS = 1_000;
/** How often a user resumes a job that paused by itself. */
const ROUNDS = 8;

/** Plays a scenario from its beginning to its end. The same scenario, the same outcome. */
export function simulate(scenario: Scenario): Promise<Outcome> {
  return withSimulatedTime(() => new Simulation(scenario).play());
}

class Simulation {
  readonly #disk = new Disk();
  readonly #world: World;
  readonly #around: Surroundings;
  readonly #troubles: Troubles;
  readonly #windows: Windows;

  constructor(private readonly scenario: Scenario) {
    const world = new World(new Random(scenario.seed));
    const disk = this.#disk;
    const folder = new Folder(world, scenario);
    const services = Array.from({ length: scenario.services }, (_, i) => new SimService(i, scenario));
    const judge = new Judge(world, disk, services, scenario, folder);
    const living = new Set<number>();
    this.#world = world;
    this.#around = {
      ...{ world, disk, judge, folder, scenario, services, living },
      network: new Network(world, judge, scenario),
    };
    this.#troubles = new Troubles(this.#around);
    this.#windows = new Windows(this.#around, living, (slot, process) =>
      this.#troubles.fateOfChange(slot, process),
    );
  }

  async play(): Promise<Outcome> {
    const stopHearing = this.#hearUnhandled();
    let unconfirmed = 0;
    try {
      for (const slot of this.#windows.slots)
        this.#world.after(slot.other?.atMs ?? slot.place * 37, () => this.#windows.open(slot, 'index'));
      await this.#world.run(() => false, this.#troubles.plan(this.#windows));
      await this.#comeToRest();
      if (!this.#world.violation) {
        unconfirmed = compareWithService(this.#around);
        compareSpending(this.#around);
        comparePanelRuns(this.#around);
        compareCalls(this.#around);
      }
    } finally {
      stopHearing();
      this.#disk.close();
    }
    const { lines, steps, marks, violation } = this.#world;
    return {
      ...{ scenario: this.scenario, lines, steps, marks, unconfirmed },
      sentRuns: this.#around.judge.sent.length,
      ...(violation && { violation }),
    };
  }

  /** An unawaited promise of a living process must not fail. */
  #hearUnhandled(): () => void {
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const hear = (reason: unknown) => {
      if (!(reason instanceof Dead)) this.#world.fail(new Violation('errors are handled', stackOf(reason)));
    };
    process.on('unhandledRejection', hear);
    return () => {
      process.off('unhandledRejection', hear);
      for (const other of others) process.on('unhandledRejection', other);
    };
  }

  /** No more trouble: every job must end, and another window finds the interrupted ones. */
  async #comeToRest(): Promise<void> {
    const { judge, network } = this.#around;
    this.#world.tell('nothing goes wrong any more');
    judge.assertExceededByOneRun();
    this.#troubles.isOver = network.isCalm = judge.isBudgetOpen = true;
    for (const { process } of this.#windows.slots)
      if (process?.isAlive && process.isFrozen) this.#world.thaw(process);
    this.#windows.stopOthers();
    await this.#resumeUntilEnded();
    // A window of its own finds the jobs and changes of the others.
    const last = this.#windows.openLast();
    await this.#findInterrupted(last);
    await this.#world.run(() => !this.#hasLeftRuns, this.#world.now + FOUND_MS);
    if (this.#world.violation) return;
    if (this.#jobsLeft > 0)
      judge.fail('every job ends or says why not', 'a job is left that no window can end');
    compareWithService(this.#around);
    this.#windows.indexAgain(last, (service, plan) => comparePlan(this.#around, service, plan));
    await this.#world.run(() => false, this.#world.now + PLANNED_MS);
    await this.#resumeUntilEnded();
  }

  async #resumeUntilEnded(): Promise<void> {
    const unended = () => this.#windows.jobs.filter(({ progress }) => progress.state !== 'ended');
    for (let round = 0; round < ROUNDS; round++) {
      await this.#untilSettled();
      if (this.#world.violation || unended().length === 0) return;
      this.#windows.resumePaused();
    }
    this.#sayWhatIsLeft(unended(), `after ${ROUNDS} times _Resume_`);
  }

  async #findInterrupted(last: Slot): Promise<void> {
    await this.#world.run(() => last.window !== undefined, this.#world.now + PLANNED_MS);
    for (let round = 0; round < ROUNDS && this.#jobsLeft > 0 && !this.#world.violation; round++) {
      if (round > 0) this.#windows.lookAgain(last);
      await this.#world.run(() => false, this.#world.now + FOUND_MS);
      await this.#untilSettled();
      this.#windows.resumePaused();
    }
  }

  async #untilSettled(): Promise<void> {
    const isSettled = () => {
      const states = this.#windows.jobs.map(({ progress }) => progress);
      const isPaused = states.some(({ state }) => state === 'paused');
      if (this.#windows.live.some(({ window }) => window.panelRuns > 0)) return false;
      return states.every(
        ({ state, isHeldUp }) =>
          ['ended', 'paused'].includes(state) || (state === 'queued' && isHeldUp && isPaused),
      );
    };
    const isInTime = await this.#world.run(isSettled, this.#world.now + PATIENCE_MS);
    if (!isInTime) this.#sayWhatIsLeft(this.#windows.jobs, 'after hours');
  }

  #sayWhatIsLeft(jobs: readonly { readonly progress: object }[], when: string): void {
    if (jobs.length === 0) return;
    const states = jobs.map(({ progress }) => JSON.stringify(progress)).join(', ');
    this.#around.judge.fail('every job ends or says why not', `${when}: ${states}`);
  }

  /** Runs of windows that are gone, which the history does not call unconfirmed yet. */
  get #hasLeftRuns(): boolean {
    return this.#disk.rows("SELECT 1 FROM run WHERE state = 'running'").length > 0;
  }

  get #jobsLeft(): number {
    return this.#disk.rows('SELECT 1 FROM job WHERE planned = 1').length;
  }
}
