import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  decidedRuns,
  type KnownRunChoices,
  type SortedRuns,
  sortRuns,
} from '../../../src/experiments/wantedRuns';
import { ServiceError } from '../../../src/service/errors';
import { openStore, type Store } from '../../../src/store/store';
import type { Random } from '../../simulation/random';
import { answered } from '../runsInMemory';
import { loadedOf, planHere, runWithId } from './plannedRuns';

/** The result of one order of events. */
export interface PlayedFate {
  readonly seed: number;
  readonly sent: number;
  readonly kills: number;
  /** The events of the results file, in their order. */
  readonly events: readonly Fate[];
  readonly unconfirmed: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/** Changes that git, editors and people make to a results file, at any moment. */
const fates = [
  'rollBack',
  'replace',
  'switchBranch',
  'delete',
  'empty',
  'deleteLines',
  'reverse',
  'rename',
  'moveFolder',
] as const;
type Fate = (typeof fates)[number];

/** The decisions of a terminal: known results are used, and no run is paid again. */
const decide: KnownRunChoices = {
  accepted: async () => 0,
  restore: async () => true,
  use: async () => true,
  unreadable: async () => 'unconfirmed',
};

/** A process sees another one's silence this many times faster than the clock. */
const CLOCK = 50;
let pids = 2_000_000;

/** Processes of one store, one after another, whose results file is never safe; the seed decides everything. */
export class Fates {
  readonly #cells = Array.from({ length: 6 }, (_, n) => runWithId(`run-${n}`));
  readonly #loaded = loadedOf(this.#cells);
  readonly #alive = new Set<number>();
  readonly #stores: Store[] = [];
  readonly #executed = new Map<string, number>();
  /** Responses that reached a process which was not killed. */
  readonly #received = new Set<string>();
  readonly #snapshots: string[] = [''];
  readonly #branches = new Map<string, string>();
  readonly #events: Fate[] = [];
  #branch = 'main';
  #folder: string;
  #name = 'try';
  #names = 0;
  #kills = 0;

  constructor(
    private readonly seed: number,
    private readonly random: Random,
    private readonly root: string,
  ) {
    this.#folder = path.join(root, 'work');
  }

  async play(): Promise<PlayedFate> {
    await mkdir(this.#folder, { recursive: true });
    for (let n = this.random.int(2, 5); n > 0; n--) {
      await this.#process(this.random.of(n), this.random.chance(0.4));
      if (this.random.chance(0.6)) await this.#befall(this.random);
    }
    let last: SortedRuns | undefined;
    for (let calm = 0; calm < 30; calm++) {
      last = await this.#process(this.random.of(100 + calm), false, true);
      if (last && last.missing.length + last.underWay.length === 0) break;
      await delay(10);
    }
    const is = (state: 'missing' | 'unconfirmed' | 'underWay') =>
      new Set(last?.[state].map(({ customId }) => customId));
    const [missing, unconfirmed, underWay] = [is('missing'), is('unconfirmed'), is('underWay')];
    const isOpen = (id: string) => missing.has(id) || unconfirmed.has(id) || underWay.has(id);
    return {
      ...{ seed: this.seed, kills: this.#kills, events: this.#events, unconfirmed: unconfirmed.size },
      sent: [...this.#executed.values()].reduce((sum, times) => sum + times, 0),
      doubled: [...this.#executed]
        .filter(([, times]) => times > 1)
        .map(([id, times]) => `${id} was executed ${times} times (${this.#events.join(', ')})`),
      lost: [
        ...[...missing, ...underWay].map((id) => `${id} was never run (${this.#events.join(', ')})`),
        ...[...this.#received]
          .filter(isOpen)
          .map((id) => `${id} responded, and is not kept (${this.#events.join(', ')})`),
      ],
    };
  }

  async close(): Promise<void> {
    for (const store of this.#stores) {
      Reflect.deleteProperty(store.database, 'write');
      await store.close();
    }
  }

  get #results(): string {
    return path.join(this.#folder, `${this.#name}.results.jsonl`);
  }

  /** Undefined: it was killed, or could not go on. */
  async #process(random: Random, mayDie: boolean, isCalm = false): Promise<SortedRuns | undefined> {
    const pid = pids++;
    this.#alive.add(pid);
    const store = await openStore(path.join(this.root, 'state'), {
      owner: {
        ...{ pid, beatEveryMs: 10 },
        isAlive: (other) => this.#alive.has(other),
        now: () => performance.now() * CLOCK,
      },
    });
    this.#stores.push(store);
    let end = () => {};
    const killed = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    const isAlive = () => this.#alive.has(pid);
    const kill = () => {
      this.#alive.delete(pid);
      this.#kills++;
      store.database.write = () => new Promise(() => {});
      end();
    };
    const deathAt = mayDie ? random.int(1, 20) : Number.POSITIVE_INFINITY;
    const save = store.database.write.bind(store.database);
    let changes = 0;
    store.database.write = (change) => {
      if (++changes === deathAt) kill();
      return isAlive() ? save(change) : new Promise(() => {});
    };
    const fateAt = isCalm ? 0 : random.int(0, 5);
    let sent = 0;
    const run = async ({ request }: { request: { input: Readonly<Record<string, unknown>> } }) => {
      const id = String(request.input.id);
      if (++sent === fateAt) await this.#befall(random);
      await delay(random.int(0, 8));
      if (!isAlive()) return new Promise<never>(() => {});
      const isLost = random.chance(0.1);
      if (random.chance(0.1)) throw new ServiceError('unreachable');
      this.#executed.set(id, (this.#executed.get(id) ?? 0) + 1);
      await delay(random.int(0, 8));
      if (!isAlive()) return new Promise<never>(() => {});
      if (isLost) throw new ServiceError('outcomeUnknown');
      if (!mayDie) this.#received.add(id);
      return { ...answered, runId: id };
    };
    const sorted = await Promise.race([killed, this.#work(store, run)]);
    if (isAlive()) {
      this.#alive.delete(pid);
      this.#stores.splice(this.#stores.indexOf(store), 1);
      await store.close();
    }
    return sorted;
  }

  async #work(store: Store, run: Parameters<typeof planHere>[2]['run']): Promise<SortedRuns | undefined> {
    const results = this.#results;
    try {
      const sorted = await decidedRuns(store, this.#loaded, results, decide);
      const runs = [...sorted!.missing, ...sorted!.underWay];
      if (runs.length === 0) return sorted;
      const { job, done } = await planHere(store, this.#folder, {
        ...sorted!,
        loaded: this.#loaded,
        runs,
        run,
        results,
      });
      job.start();
      await done;
      return await sortRuns(store, this.#loaded, results);
    } catch (error) {
      // As when its folder was moved: results that cannot be written stay in the store.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return undefined;
    }
  }

  async #befall(random: Random): Promise<void> {
    const fate = random.pick<Fate>(fates);
    this.#events.push(fate);
    const file = this.#results;
    const text = await readFile(file, 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line !== '');
    const put = (next: readonly string[]) => writeFile(file, next.map((line) => `${line}\n`).join(''));
    switch (fate) {
      case 'rollBack':
        this.#snapshots.push(text);
        return writeFile(file, random.pick(this.#snapshots));
      case 'replace':
        this.#snapshots.push(text);
        await writeFile(`${file}.new`, random.pick(this.#snapshots));
        return rename(`${file}.new`, file);
      case 'switchBranch':
        this.#branches.set(this.#branch, text);
        this.#branch = this.#branch === 'main' ? 'idea' : 'main';
        return writeFile(file, this.#branches.get(this.#branch) ?? '');
      case 'delete':
        return rm(file, { force: true });
      case 'empty':
        return writeFile(file, '');
      case 'deleteLines':
        return put(lines.filter(() => random.chance(0.5)));
      case 'reverse':
        return put(lines.toReversed());
      case 'rename':
        this.#name = `try-${++this.#names}`;
        return rename(file, this.#results).catch(() => undefined);
      case 'moveFolder': {
        const before = this.#folder;
        this.#folder = path.join(this.root, `work-${++this.#names}`);
        return rename(before, this.#folder);
      }
    }
  }
}
