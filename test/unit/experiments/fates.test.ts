import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dyingAtFiles, Fates, type PlayedFate } from '../../simulation/fates';
import { Random } from '../../simulation/random';
import { tellFigures } from '../../support/figures';

/** `npm run faults` asks for more. */
const SEEDS = Number(process.env.MODEL_BENCH_FAULTS_ORDERS ?? 200);
/** With `MODEL_BENCH_FAULTS_FIRST_SEED=<seed>` a seed that failed is the first one. */
const FIRST = Number(process.env.MODEL_BENCH_FAULTS_FIRST_SEED ?? 1);
const AT_ONCE = 8;

/** One or two stores, whose results file is changed between any two steps of their processes. */
describe('A results file that others change, move or lose', () => {
  let root: string;
  let undo = () => {};
  before(async () => {
    const disk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    root = await mkdtemp(path.join(disk, 'model-bench-fates-'));
    undo = await dyingAtFiles(path.join(root, 'any'));
  });
  after(async () => {
    undo();
    await rm(root, { recursive: true });
  });

  it(`sends each run at most once, and keeps each response: ${SEEDS} seeds`, async () => {
    const played: PlayedFate[] = [];
    const seeds = Array.from({ length: SEEDS }, (_, n) => FIRST + n);
    const play = async (seed: number) => {
      const folder = path.join(root, `${seed}`);
      const fates = new Fates(seed, new Random(seed), folder);
      try {
        played.push(await fates.play());
      } finally {
        await fates.close();
        await rm(folder, { recursive: true, force: true });
      }
    };
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) await play(seed);
      }),
    );
    const sum = (of: (one: PlayedFate) => number) => played.reduce((all, one) => all + of(one), 0);
    const problems = played.flatMap((one) =>
      [...one.lost, ...one.doubled].map((text) => `seed ${one.seed}: ${text}`),
    );
    const [kills, events] = [sum((one) => one.kills), sum((one) => one.events.length)];
    tellFigures({
      case: 'results files rolled back, replaced, moved, renamed or edited at any moment, with kills',
      tried: SEEDS,
      lost: sum((one) => one.lost.length),
      doubled: sum((one) => one.doubled.length),
      leaked: 0,
      note: `${sum((one) => one.sent)} runs, ${events} events, ${kills} kills, ${sum((one) => one.unconfirmed)} unconfirmed`,
    });
    assert.deepEqual(problems, []);
    assert.ok(kills > SEEDS / 4 && events > SEEDS, `${kills} kills, ${events} events`);
  });
});
