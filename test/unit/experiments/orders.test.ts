import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PlayedOrder, playOrder } from '../../support/experiments/orders';
import { tellFigures } from '../../support/figures';

/** `npm run faults` asks for more. */
const SEEDS = Number(process.env.MODEL_BENCH_FAULTS_ORDERS ?? 100);
/** With `MODEL_BENCH_FAULTS_FIRST_SEED=<seed>` a seed that failed is the first one. */
const FIRST = Number(process.env.MODEL_BENCH_FAULTS_FIRST_SEED ?? 1);
/** Each waits for disks and clocks most of its time. */
const AT_ONCE = 20;

/**
 * Two stores over one results file, like a window and a terminal: for any times of start and kill, the product sends
 * each run once at most, and knows of each that was sent.
 */
describe('Under any order of processes that run one experiment', () => {
  let folder: string;
  before(async () => {
    // In memory where there is one: the orders of events count here, and disks would be waited for most of the time.
    const disk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    folder = await mkdtemp(path.join(disk, 'model-bench-orders-'));
  });
  after(() => rm(folder, { recursive: true }));

  it(`sends each run at most once, and keeps each response: ${SEEDS} seeds`, async () => {
    const played: PlayedOrder[] = [];
    const seeds = Array.from({ length: SEEDS }, (_, n) => FIRST + n);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
          played.push(await playOrder(seed, path.join(folder, `${seed}`)));
      }),
    );
    const sum = (of: (one: PlayedOrder) => number) => played.reduce((all, one) => all + of(one), 0);
    const problems = played.flatMap((one) =>
      [...one.lost, ...one.doubled].map((text) => `seed ${one.seed}: ${text}`),
    );
    const kills = sum((one) => one.kills);
    const unconfirmed = sum((one) => one.unconfirmed);
    tellFigures({
      case: 'orders of processes of two stores over one results file, killed at any moment',
      tried: SEEDS,
      lost: sum((one) => one.lost.length),
      doubled: sum((one) => one.doubled.length),
      leaked: 0,
      note: `${sum((one) => one.sent)} runs, ${kills} kills, ${unconfirmed} unconfirmed; ${sum((one) => one.elsewhere)} left to another process`,
    });
    assert.deepEqual(problems, []);
    // Orders in which nothing meets prove nothing.
    assert.ok(kills > SEEDS / 4 && unconfirmed > SEEDS / 10, `${kills} kills, ${unconfirmed} unconfirmed`);
    assert.ok(sum((one) => one.elsewhere) > SEEDS / 10, 'two processes want the same run');
  });
});
