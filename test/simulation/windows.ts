import type { Plan } from '../../src/indexing/plan';
import type { ChangeFate } from './disk';
import { Violation } from './judge';
import type { UserAct } from './scenario';
import type { SimService } from './service';
import { type Choice, SimWindow, type Surroundings } from './window';
import { Dead, SimProcess } from './world';

/** A place on the screen: a window that is closed or killed there may be opened again, as another process. */
export interface Slot {
  readonly place: number;
  process?: SimProcess;
  window?: SimWindow;
  /** Changes that were begun in the store. */
  changes: number;
}

/** The fate of the next change of a window. */
export type FateOfChange = (slot: Slot, process: SimProcess) => ChangeFate;

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
    this.slots = Array.from({ length: around.scenario.windows }, (_, place) => ({ place, changes: 0 }));
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
    const { world } = this.around;
    const number = ++this.#processes;
    const name = `window ${slot.place + 1}${number > this.slots.length ? ` (process ${number})` : ''}`;
    const process = new SimProcess(world, number, name, world.random.of(2, number));
    this.living.add(number);
    process.onDeath(() => this.living.delete(number));
    slot.process = process;
    delete slot.window;
    world.tell(`${name} opens`);
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
    const slot: Slot = { place: this.slots.length, changes: 0 };
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
    else if (process?.isAlive && window)
      this.around.world.after(0, () => this.#act(process, window, act), process);
  }

  #act(process: SimProcess, window: SimWindow, act: Exclude<UserAct, 'open'>): void {
    this.around.world.tell(`${process.name}: the user asks to ${wordsOf[act]}`);
    const job = window.jobs.findLast(({ progress }) => progress.state !== 'ended');
    this.#in(process, async () => {
      switch (act) {
        case 'index':
        case 'indexUnconfirmed':
        case 'retryFailed':
          return window.index(choices[act], this.#nextService());
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

const wordsOf: Readonly<Record<Exclude<UserAct, 'open'>, string>> = {
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

/** Errors that the product shows as sentences. */
function isForUsers(error: unknown): boolean {
  return error instanceof Error && ['ServiceError', 'StoreProblem', 'AbortError'].includes(error.name);
}

export function stackOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}
