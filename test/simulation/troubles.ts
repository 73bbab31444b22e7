import type { ChangeFate } from './disk';
import type { Trouble } from './scenario';
import type { Surroundings } from './window';
import type { Slot, Windows } from './windows';
import type { SimProcess } from './world';

type Timed = Extract<Trouble, { readonly atMs: number }>;

/** Lets the scenario's troubles happen when they are due. */
export class Troubles {
  /** No more of them. */
  isOver = false;

  constructor(private readonly around: Surroundings) {}

  /** @returns when the last of the timed troubles ends */
  plan(windows: Windows): number {
    const { scenario, world } = this.around;
    let endsAt = Math.max(3_000, ...scenario.others.map(({ atMs }) => atMs + 1_000));
    for (const trouble of scenario.troubles) {
      if (!('atMs' in trouble)) continue;
      world.after(trouble.atMs, () => this.#happen(trouble, windows));
      endsAt = Math.max(endsAt, trouble.atMs + ('forMs' in trouble ? trouble.forMs : 0) + 1_000);
    }
    return endsAt;
  }

  fateOfChange(slot: Slot, process: SimProcess): ChangeFate {
    const nth = ++slot.changes;
    if (this.isOver) return 'made';
    const { scenario, world } = this.around;
    for (const trouble of scenario.troubles) {
      if (!('window' in trouble) || trouble.window !== slot.place) continue;
      if (trouble.kind === 'deathAtChange' && trouble.nth === nth) return trouble.when;
      if (trouble.kind === 'freezeAtChange' && trouble.nth === nth)
        queueMicrotask(() => this.#freeze(process, trouble.forMs));
      if (trouble.kind !== 'disk' || nth < trouble.nth || nth >= trouble.nth + trouble.changes) continue;
      if (nth === trouble.nth) world.tell(`the store of ${process.name} is ${trouble.is}`);
      // Responses that cannot be saved are held: only the end of the process makes them unconfirmed.
      process.isHindered = true;
      return trouble.is;
    }
    return 'made';
  }

  #happen(trouble: Timed, windows: Windows): void {
    const { folder, services, world } = this.around;
    switch (trouble.kind) {
      case 'file':
        folder.change(trouble.file, trouble.act);
        return;
      case 'outage':
        this.#outage(trouble.forMs);
        return;
      case 'expiry':
        world.tell('the service forgets every upload');
        for (const service of services) service.forgetUploads(trouble.status);
        return;
      default:
        this.#toWindow(trouble, windows);
    }
  }

  #toWindow(trouble: Extract<Timed, { readonly window: number }>, windows: Windows): void {
    const slot = windows.slots.find(({ place }) => place === trouble.window);
    if (!slot) return;
    const { process } = slot;
    if (trouble.kind === 'permit') windows.permit(slot, trouble.cents);
    else if (trouble.kind === 'user') windows.userActs(slot, trouble.act);
    else if (!process?.isAlive) return;
    else if (trouble.kind === 'death') process.die('is killed');
    else if (trouble.kind === 'freeze') this.#freeze(process, trouble.forMs);
    else {
      this.around.world.tell(`the clock of ${process.name} jumps by ${trouble.byMs / 1_000} s`);
      process.clockOffMs += trouble.byMs;
    }
  }

  #outage(forMs: number): void {
    const { network, world } = this.around;
    world.tell(`nothing can be reached for ${forMs / 1_000} s`);
    network.isOut = true;
    world.after(forMs, () => {
      network.isOut = false;
    });
  }

  #freeze(process: SimProcess, forMs: number): void {
    if (process.isFrozen || !process.isAlive || this.isOver) return;
    const { judge, world } = this.around;
    world.tell(`${process.name} is stopped for ${forMs / 1_000} s`);
    process.isFrozen = true;
    judge.excuseInFlight();
    world.after(forMs, () => {
      if (!process.isAlive || !process.isFrozen) return;
      world.tell(`${process.name} goes on`);
      world.thaw(process);
    });
  }
}
