import type { Plan } from '../../src/indexing/plan';
import type { ChangeFate } from './disk';
import { Violation } from './judge';
import type { Other } from './others';
import type { UserAct } from './scenario';
import type { SimService } from './service';
import { type Choice, SimWindow, type Surroundings } from './window';
import { Dead, SimProcess } from './world';

/** A place on the screen: a window that is closed or killed there may be opened again, as another process. */
export interface Slot {
  readonly place: number;
  /** It is no window. */
  readonly other?: Other;
  stop?: AbortController;
  process?: SimProcess;
  window?: SimWindow;
  /** Changes that were begun in the store. */
  changes: number;
}

/** The fate of the next change of a window. */
export type FateOfChange = (slot: Slot, process: SimProcess) => ChangeFate;

/** Other processes do not have it. */
const LAST_PLACE = 999;
/** A server waits for the responses to its runs, a little. */
const LONGEST_END_MS = 3_000;
/** As the extension looks for interrupted jobs. */
const LOOK_MS = [1_000, 1_000, 1_000, ...Array.from({ length: 15 }, () => 4_000)];

/** All windows, and the actions of their user. */
export class Windows {
  readonly slots: Slot[];
  #processes = 0;
  #jobs = 0;

  constructor(
    private readonly around: Surroundings,
    private readonly living: Set<number>,
    private readonly fateOf: FateOfChange,
  ) {
    const { windows, others } = around.scenario;
    this.slots = [
      ...Array.from({ length: windows }, (_, place) => ({ place, changes: 0 })),
      ...others.map((other) => ({ place: other.place, other, changes: 0 })),
    ];
  }

  get live() {
    return this.slots.flatMap(({ process, window }) =>
      process?.isAlive && window ? [{ process, window }] : [],
    );
  }

  get jobs() {
    return this.live.flatMap(({ window }) => window.jobs);
  }

  open(slot: Slot, then: 'index' | 'resume'): void {
    if (slot.process?.isAlive) return;
    const process = this.#started(slot);
    if (slot.other) {
      this.#openOther(slot, process, slot.other);
      return;
    }
    this.#in(process, async () => {
      const window = await SimWindow.open(
        ...([process, this.around, slot.place % this.around.scenario.workspaces] as const),
        () => this.fateOf(slot, process),
      );
      slot.window = window;
      if (then === 'index') await window.index('new', this.#nextService());
      else await lookForInterrupted(window);
    });
  }

  #started(slot: Slot): SimProcess {
    const { world } = this.around;
    const number = ++this.#processes;
    const name = `${slot.other?.kind ?? 'window'} ${slot.place + 1} (process ${number})`;
    const process = new SimProcess(world, number, name, world.random.of(2, number));
    this.living.add(number);
    process.onDeath(() => this.living.delete(number));
    slot.process = process;
    delete slot.window;
    world.tell(`${name} opens`);
    return process;
  }

  #openOther(slot: Slot, process: SimProcess, other: Other): void {
    const { world } = this.around;
    const stop = new AbortController();
    slot.stop = stop;
    const service = this.#nextService();
    this.#in(process, async () => {
      const window = await SimWindow.open(process, this.around, 0, () => this.fateOf(slot, process), other);
      slot.window = window;
      const end = async () => {
        await window.untilIdle(LONGEST_END_MS);
        await window.close().catch(() => undefined);
        process.die('has ended');
      };
      if (other.kind === 'terminal') {
        await window.indexOnce(other.choice, service, stop.signal).catch(ignoreStop);
        return end();
      }
      stop.signal.addEventListener('abort', () => this.#in(process, end));
      for (const call of other.calls)
        world.after(
          call.afterMs,
          () =>
            stop.signal.aborted ||
            this.#in(process, () => window.callOfAgent(call, other, service, stop.signal)),
          process,
        );
    });
  }

  /** People stop terminals and agents; runs in flight are waited for. */
  stopOthers(): void {
    for (const slot of this.slots) if (slot.other) this.#signal(slot);
  }

  #signal({ process, stop }: Slot): void {
    const { world } = this.around;
    world.tell(`${process?.name} gets a signal`);
    if (process?.isAlive) world.after(0, () => stop?.abort(), process);
  }

  /** A person lets agents spend an amount, or nothing any more. */
  permit({ process, window }: Slot, cents: number): void {
    if (process?.isAlive && window)
      this.around.world.after(0, () => this.#in(process, () => window.permit(cents)), process);
  }

  /** Plans the folder for every service, and indexes new files; `hear` gets each plan first. */
  indexAgain({ process, window }: Slot, hear: (service: SimService, plan: Plan) => void): void {
    if (!process || !window) return;
    this.#in(process, async () => {
      for (const service of this.around.services) {
        hear(service, await window.plan(service));
        await window.index('new', service);
      }
    });
  }

  /** One more window, which is there at the end. */
  openLast(): Slot {
    const slot: Slot = { place: LAST_PLACE, changes: 0 };
    this.slots.push(slot);
    this.open(slot, 'resume');
    return slot;
  }

  lookAgain({ process, window }: Slot): void {
    if (process && window) this.#in(process, () => lookForInterrupted(window));
  }

  resumePaused(): void {
    for (const { process, window } of this.live) process.run(() => window.resumePaused());
  }

  userActs(slot: Slot, act: UserAct): void {
    const { process, window } = slot;
    if (act === 'open') this.open(slot, 'resume');
    else if (act === 'stop') this.#signal(slot);
    else if (process?.isAlive && window)
      this.around.world.after(0, () => this.#act(process, window, act), process);
  }

  #act(process: SimProcess, window: SimWindow, act: Exclude<UserAct, 'open' | 'stop'>): void {
    this.around.world.tell(`${process.name}: the user asks to ${wordsOf[act]}`);
    const job = window.jobs.findLast(({ progress }) => progress.state !== 'ended');
    this.#in(process, async () => {
      switch (act) {
        case 'index':
        case 'indexUnconfirmed':
        case 'retryFailed':
          await window.index(choices[act], this.#nextService());
          return;
        case 'resume':
          window.resumePaused();
          await window.resumeInterrupted();
          return;
        case 'close':
          await window.close();
          process.die('has ended');
          return;
        case 'run':
          return window.runPanel(this.#nextService());
        default:
          job?.[act]();
      }
    });
  }

  #nextService(): SimService {
    const { services } = this.around;
    return services[this.#jobs++ % services.length]!;
  }

  /** Code of a process; its errors are shown to the user. */
  #in(process: SimProcess, work: () => Promise<void>): void {
    void process.run(work).catch((error: unknown) => {
      if (error instanceof Dead || !process.isAlive) return;
      this.around.world.tell(`${process.name} shows: ${(error as Error).message}`);
      if (!isForUsers(error)) this.around.world.fail(new Violation('errors are of a kind', stackOf(error)));
    });
  }
}

async function lookForInterrupted(window: SimWindow): Promise<void> {
  for (const wait of LOOK_MS) {
    if ((await window.resumeInterrupted()) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

const choices = {
  index: 'new',
  indexUnconfirmed: 'unconfirmed',
  retryFailed: 'failed',
} as const satisfies Record<string, Choice>;

const wordsOf: Readonly<Record<Exclude<UserAct, 'open' | 'stop'>, string>> = {
  index: 'index the folder',
  indexUnconfirmed: 'index unconfirmed files again',
  retryFailed: 'retry failed files',
  pause: 'pause',
  resume: 'resume',
  cancel: 'cancel',
  stopWaiting: 'stop waiting',
  close: 'close the window',
  run: 'run the model in a panel',
};

/** A terminal ends after any error that it has shown. */
function ignoreStop(error: unknown): void {
  if (!isForUsers(error)) throw error;
}

/** Errors that the product shows as sentences. */
function isForUsers(error: unknown): boolean {
  return error instanceof Error && ['ServiceError', 'StoreProblem', 'AbortError'].includes(error.name);
}

export function stackOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}
