import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { decidedRuns, type KnownRunChoices, type SortedRuns } from '../../src/experiments/plan/wantedRuns';
import { FileReplaced, UnreadableLines } from '../../src/experiments/results/resultsFile';
import { ServiceError } from '../../src/service/errors';
import { openStore, type Store } from '../../src/store/store';
import { loadedOf, planHere, runWithId } from '../support/experiments/plannedRuns';
import { answered } from '../support/runsInMemory';
import type { Random } from './random';

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
  use: async () => true,
};

/** A process sees another one's silence this many times faster than the clock. */
const CLOCK = 50;
/** Longer than any process takes. */
const STUCK_MS = 60_000;
let pids = 2_000_000;

/** One process of an experiment: it ends at the step that its seed names, before a change of its store or file. */
class Living {
  readonly pid = pids++;
  readonly killed: Promise<undefined>;
  isAlive = true;
  #steps = 0;
  #end = () => {};

  /** @param tears its last line is half written */
  constructor(
    private readonly diesAt: number,
    readonly tears: boolean,
  ) {
    this.killed = new Promise((resolve) => {
      this.#end = () => resolve(undefined);
    });
  }

  /** False: it is dead, and does nothing more. */
  step(): boolean {
    if (++this.#steps === this.diesAt) {
      this.isAlive = false;
      this.#end();
    }
    return this.isAlive;
  }
}

const living = new AsyncLocalStorage<Living>();

/** Lets processes die before and after each write of a file. Resolves to the way back. */
export async function dyingAtFiles(file: string): Promise<() => void> {
  const handle = await open(file, 'a');
  const files = Object.getPrototypeOf(handle) as Pick<FileHandle, 'write' | 'datasync'>;
  await handle.close();
  const { write, datasync } = files;
  const dead = async (one: FileHandle) => {
    await one.close();
    return new Promise<never>(() => {});
  };
  files.write = async function (this: FileHandle, ...call: readonly unknown[]) {
    const one = living.getStore();
    const wasAlive = one?.isAlive === true;
    if (one?.step() !== false) return Reflect.apply(write, this, call);
    const [bytes] = call as [Uint8Array];
    if (wasAlive && one.tears) await Reflect.apply(write, this, [bytes.subarray(0, bytes.length / 2)]);
    return dead(this);
  } as FileHandle['write'];
  files.datasync = async function (this: FileHandle) {
    return living.getStore()?.step() === false ? dead(this) : Reflect.apply(datasync, this, []);
  };
  return () => Object.assign(files, { write, datasync });
}

/**
 * Processes of one or two stores, one or two at once, whose results file is never safe; the seed decides everything.
 * Two stores are two computers: of a run that one has sent and the file has lost again, the other cannot know.
 */
export class Fates {
  readonly #cells = Array.from({ length: 6 }, (_, n) => runWithId(`run-${n}`));
  readonly #loaded = loadedOf(this.#cells);
  readonly #alive = new Map<number, Living>();
  readonly #stores: Store[] = [];
  readonly #computers: number;
  /** By run, the computers that have sent it. */
  readonly #executed = new Map<string, number[]>();
  /** Runs with lines that the file has lost once: another computer that looked then knows nothing of them. */
  readonly #forgotten = new Set<string>();
  /** Runs that a process was allowed to send. */
  readonly #left = new Set<string>();
  /** Processes that have not begun to send. */
  #choosing = 0;
  readonly #doubled: string[] = [];
  readonly #stuck: string[] = [];
  #fate: Promise<void> = Promise.resolve();
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
    this.#computers = random.int(1, 2);
  }

  async play(): Promise<PlayedFate> {
    await mkdir(this.#folder, { recursive: true });
    for (let n = this.random.int(2, 5); n > 0; n--) {
      const atOnce = this.random.chance(0.4) ? 2 : 1;
      const round = Array.from({ length: atOnce }, (_, one) => {
        const random = this.random.of(n, one);
        return this.#process(random, random.int(0, this.#computers - 1), random.chance(0.4));
      });
      await Promise.all(round);
      if (this.random.chance(0.6)) await this.#befall(this.random);
    }
    const last: SortedRuns[] = [];
    for (let calm = 0; calm < 60; calm++) {
      const sorted = await this.#process(this.random.of(100 + calm), calm % this.#computers);
      const isDone = sorted && sorted.missing.length + sorted.underWay.length === 0;
      if (isDone) last.unshift(sorted);
      else last.length = 0;
      if (last.length >= this.#computers) break;
      // A killed process counts as one at work for a while.
      if (!isDone) await delay(50);
    }
    const is = (state: 'missing' | 'unconfirmed' | 'underWay') =>
      new Set(last[0]?.[state].map(({ customId }) => customId));
    const [missing, unconfirmed, underWay] = [is('missing'), is('unconfirmed'), is('underWay')];
    const isOpen = (id: string) => missing.has(id) || unconfirmed.has(id) || underWay.has(id);
    const after = this.#events.join(', ');
    return {
      ...{ seed: this.seed, kills: this.#kills, events: this.#events, unconfirmed: unconfirmed.size },
      sent: [...this.#executed.values()].reduce((sum, { length }) => sum + length, 0),
      doubled: this.#doubled,
      lost: [
        ...(last.length === 0 ? [`it never came to an end (${after})`] : []),
        ...this.#stuck,
        ...[...missing, ...underWay].map((id) => `${id} was never run (${after})`),
        ...[...this.#received].filter(isOpen).map((id) => `${id} responded, and is not kept (${after})`),
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

  /** Undefined: it was killed, or could not go on. @param computer by the number of its store */
  async #process(random: Random, computer: number, mayDie?: boolean): Promise<SortedRuns | undefined> {
    const isCalm = mayDie === undefined;
    const process = new Living(
      mayDie ? random.int(1, 40) : Number.POSITIVE_INFINITY,
      // A torn line waits for somebody to repair it.
      random.chance(0.2),
    );
    const { pid } = process;
    this.#alive.set(pid, process);
    const store = await openStore(path.join(this.root, `state-${computer}`), {
      owner: {
        ...{ pid, beatEveryMs: 10 },
        isAlive: (other) => this.#alive.get(other)?.isAlive === true,
        now: () => performance.now() * CLOCK,
      },
    });
    this.#stores.push(store);
    const save = store.database.write.bind(store.database);
    store.database.write = (change) => (process.step() ? save(change) : new Promise(() => {}));
    // Of a copy of the experiment; another computer cannot know its results.
    const isOther = !isCalm && this.#computers === 1 && random.chance(0.2);
    const fateAt = isCalm ? 0 : random.int(0, 5);
    let sent = 0;
    const run = async ({ request }: { request: { input: Readonly<Record<string, unknown>> } }) => {
      const id = String(request.input.id);
      this.#left.add(id);
      const file = this.#results;
      if (!sentIn(existsSync(file) ? readFileSync(file, 'utf8') : '').has(id)) this.#forgotten.add(id);
      if (++sent === fateAt) await this.#befall(random);
      await delay(random.int(0, 8));
      if (!process.isAlive) return new Promise<never>(() => {});
      const isLost = random.chance(0.1);
      if (random.chance(0.1)) throw new ServiceError('unreachable');
      this.#execute(id, computer);
      await delay(random.int(0, 8));
      if (!process.isAlive) return new Promise<never>(() => {});
      if (isLost) throw new ServiceError('outcomeUnknown');
      if (!mayDie) this.#received.add(id);
      return { ...answered, runId: `${id} of ${computer}` };
    };
    const stuck = new AbortController();
    const sorted = await Promise.race([
      process.killed,
      living.run(process, () => this.#work(store, run, isOther)),
      delay(STUCK_MS, undefined, { signal: stuck.signal }).then(() => {
        this.#stuck.push(`a process does not end (${this.#events.join(', ')})`);
        return undefined;
      }),
    ]).finally(() => stuck.abort());
    if (process.isAlive) {
      process.isAlive = false;
      this.#stores.splice(this.#stores.indexOf(store), 1);
      Reflect.deleteProperty(store.database, 'write');
      await store.close();
    } else this.#kills++;
    return sorted;
  }

  #execute(id: string, computer: number): void {
    const before = this.#executed.get(id) ?? [];
    this.#executed.set(id, [...before, computer]);
    if (before.length === 0 || (this.#forgotten.has(id) && !before.includes(computer))) return;
    const on = [...before, computer].map((one) => one + 1).join(', ');
    this.#doubled.push(`${id} was executed on ${on} (${this.#events.join(', ')})`);
  }

  async #work(
    store: Store,
    run: Parameters<typeof planHere>[2]['run'],
    isOther: boolean,
  ): Promise<SortedRuns | undefined> {
    const results = isOther ? path.join(this.root, 'other.results.jsonl') : this.#results;
    this.#choosing++;
    try {
      const sorted = await decidedRuns(store, this.#loaded, results, decide);
      const runs = [...sorted!.missing, ...sorted!.underWay];
      // The experiment had another name before its results were read.
      const isGone = !isOther && results !== this.#results;
      if (runs.length === 0 || isGone) return isGone ? undefined : sorted;
      const { job, done } = await planHere(store, this.#folder, {
        ...sorted!,
        loaded: this.#loaded,
        runs,
        run,
        results,
      });
      this.#choosing--;
      job.start();
      await done.finally(() => this.#choosing++);
      // The next start decides about these outcomes.
      return undefined;
    } catch (error) {
      if (error instanceof UnreadableLines) await living.exit(() => this.#repair(results, error.line));
      // As when its folder was moved: results that cannot be written stay in the store.
      else if (!(error instanceof FileReplaced) && !isMissing(error) && !isMissing((error as Error).cause))
        throw error;
      return undefined;
    } finally {
      this.#choosing--;
    }
  }

  /** Somebody removes the line that the start has named. */
  async #repair(file: string, line: number): Promise<void> {
    await this.#inTurn(async () => {
      const lines = (await readFile(file, 'utf8')).split('\n');
      lines.splice(line - 1, 1);
      await writeFile(file, lines.join('\n'));
    });
  }

  /** One change of the file after the other. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    this.#fate = this.#fate.then(change);
    return this.#fate;
  }

  async #befall(random: Random): Promise<void> {
    const fate = random.pick<Fate>(fates);
    await this.#inTurn(async () => {
      const read = () => readFile(this.#results, 'utf8').catch(() => '');
      const text = await read();
      this.#events.push(fate);
      // No process knows of it: it happens to the file.
      await living.exit(() => this.#change(fate, text, random));
      const after = sentIn(await read());
      for (const id of [...sentIn(text), ...this.#left]) if (!after.has(id)) this.#forgotten.add(id);
      // A process that reads no file any more, or not yet, makes one under the name that it knows.
      if ((text === '' || this.#choosing > 0) && (fate === 'rename' || fate === 'moveFolder'))
        for (const { customId } of this.#cells) this.#forgotten.add(customId);
    });
  }

  async #change(fate: Fate, text: string, random: Random): Promise<void> {
    const file = this.#results;
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

/** Runs with a line that says more than that they were given back. */
function sentIn(text: string): ReadonlySet<string> {
  const of = (line: string, name: string) => new RegExp(`"${name}":"([^"]*)"`).exec(line)?.[1] ?? '';
  const request = (line: string) =>
    ['custom_id', 'started_at', 'sender'].map((name) => of(line, name)).join();
  const lines = text.split('\n').filter((line) => line.includes('"custom_id"'));
  const returned = new Set(lines.filter((line) => of(line, 'state') === 'returned').map(request));
  return new Set(lines.filter((line) => !returned.has(request(line))).map((line) => of(line, 'custom_id')));
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
