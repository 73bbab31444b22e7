import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sortRuns } from '../../../src/experiments/plan/wantedRuns';
import { openStore } from '../../../src/store/store';
import { Random } from '../../simulation/random';
import { loadedOf, planHere, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { tellFigures } from '../../support/figures';
import { answered } from '../../support/runsInMemory';

/** `npm run faults` asks for more. */
const SEEDS = process.env.MODEL_BENCH_FAULTS === 'full' ? 200 : 12;
const AT_ONCE = 6;
const RUNS = 24;
const CONCURRENCY = 8;
/** Starts of the experiment: the user frees the disk before each. */
const MOST_STARTS = 20;
const PLENTY = 1_000_000;

interface Played {
  readonly executed: number;
  readonly starts: number;
  readonly fills: number;
  readonly problems: readonly string[];
}

/** Runs an experiment while its store's disk is full at times, as SQLite finds it. */
async function play(seed: number, folder: string): Promise<Played> {
  const random = new Random(seed);
  await mkdir(folder);
  const store = await openStore(path.join(folder, 'store'));
  const results = resultsIn(folder);
  const loaded = loadedOf(Array.from({ length: RUNS }, (_, n) => runWithId(`run-${n}`)));
  const executed = new Map<string, number>();
  let fills = 0;
  let space: NodeJS.Timeout | undefined;
  const limit = (pages: number) => store.database.get(`PRAGMA max_page_count = ${pages}`, () => undefined);
  const fill = () => {
    fills++;
    limit(1);
    // It is used by others too: at any time there is room again.
    clearTimeout(space);
    space = setTimeout(() => limit(PLENTY), random.int(1, 500));
  };
  let starts = 0;
  const asked: string[] = [];
  let last = await sortRuns(store, loaded, results);
  for (; last.missing.length > 0 && starts < MOST_STARTS; starts++) {
    limit(PLENTY);
    const { job, done } = await planHere(store, folder, {
      ...last,
      ...{ loaded, runs: last.missing, atOnce: CONCURRENCY },
      run: async ({ request }) => {
        const id = String(request.input.id);
        executed.set(id, (executed.get(id) ?? 0) + 1);
        if (random.chance(0.15)) fill();
        await delay(random.int(0, 8));
        // So much that the file of the store has to grow.
        return { ...answered, runId: id, output: { text: 'x'.repeat(random.int(1, 30_000)) } };
      },
    });
    job.start();
    await done.catch(() => undefined);
    await delay(0);
    limit(PLENTY);
    last = await sortRuns(store, loaded, results);
    // The user would be asked about these, and not pay again unasked.
    for (const { line } of last.known.lines.unreadable) asked.push(`line ${line} cannot be read`);
    for (const { customId } of last.kept) asked.push(`the file has lost ${customId}`);
  }
  const lines = (await readFile(results, 'utf8')).split('\n').map((line) => line.slice(0, 300));
  const linesOf = (id: string) => lines.filter((line) => line.includes(`"${id}"`)).join('\n');
  clearTimeout(space);
  limit(PLENTY);
  await store.close();
  const sum = [...executed.values()].reduce((all, n) => all + n, 0);
  return {
    ...{ executed: sum, starts, fills },
    problems: [
      ...[...executed]
        .filter(([, n]) => n > 1)
        .map(([id, n]) => `seed ${seed}: ${id} was executed ${n} times\n${linesOf(id)}`),
      ...asked.map((question) => `seed ${seed}: ${question}`),
      ...(last.finished === RUNS ? [] : [`seed ${seed}: ${last.finished} of ${RUNS} finished`]),
      ...last.unconfirmed.map(({ customId }) => `seed ${seed}: the response of ${customId} is lost`),
    ],
  };
}

describe('An experiment on a disk that is full at times', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-full-'));
  });
  after(() => rm(folder, { recursive: true }));

  it(`keeps every response, and sends no run twice: ${SEEDS} seeds`, async () => {
    const seeds = Array.from({ length: SEEDS }, (_, n) => n + 1);
    const played: Played[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
          played.push(await play(seed, path.join(folder, `${seed}`)));
      }),
    );
    const sum = (of: (one: Played) => number) => played.reduce((all, one) => all + of(one), 0);
    const problems = played.flatMap((one) => one.problems);
    const twice = problems.filter((text) => text.includes('executed')).length;
    tellFigures({
      case: 'runs of an experiment whose disk is full while eight are in flight',
      tried: sum(({ executed }) => executed),
      ...{ lost: problems.length - twice, doubled: twice, leaked: 0 },
      note: `full ${sum(({ fills }) => fills)} times, ${sum(({ starts }) => starts)} starts`,
    });
    assert.deepEqual(problems, []);
    assert.ok(sum(({ fills }) => fills) > SEEDS, 'the disk is full more than once in each');
  });
});
