import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Goal, Measure } from '../measure';

const growing = path.join(import.meta.dirname, '../support/growing.ts');

const SIZES = { items: 100_000, cells: 100_000, models: 10_000, runFiles: 1_000 };
const NAMES: Record<keyof typeof SIZES, string> = {
  items: 'items indexed',
  cells: 'finished cells',
  models: 'models',
  runFiles: 'run files',
};
const SUBJECTS = Object.keys(SIZES) as (keyof typeof SIZES)[];
/** Of the work at full size. */
const SHARES = [1 / 4, 1 / 2, 1];

/** Indexes get deeper, and caches too small: one item of four times as many takes 1.2 times as long. A square has 4. */
const MOST = 1.5;

interface Used {
  readonly seconds: number;
  readonly mb: number;
}

/** Whether a quarter, a half and all of the work differ by no more than its amount. */
export const growth: Measure = {
  name: 'growth',
  what: 'processor and held memory for one piece of the work, at full or half size / at a quarter of it',
  goals: SUBJECTS.flatMap((subject): Goal[] => {
    const name = `${SIZES[subject].toLocaleString('en')} ${NAMES[subject]}`;
    const isCells = subject === 'cells';
    return [
      { figure: `${subject} time`, label: `${name}: time for one`, unit: '', atMost: MOST },
      { figure: `${subject} memory`, label: `${name}: memory for one`, unit: '', atMost: MOST },
      { figure: `${subject} s`, label: `${name}: processor`, unit: 's', ...(isCells && { atMost: 3 }) },
      { figure: `${subject} MB`, label: `${name}: held memory`, unit: 'MB', ...(isCells && { atMost: 400 }) },
    ];
  }),
  pairs: 3,
  whyFewer: 'each takes half a minute, and the processor’s time is steady',
  async prepare({ folder }) {
    return {
      warmUp: 0,
      async pair() {
        const figures: Record<string, number> = {};
        for (const subject of SUBJECTS) {
          const used: Used[] = [];
          for (const share of SHARES) used.push(await usedFor(subject, SIZES[subject] * share, folder));
          const [quarter, half, all] = used as [Used, Used, Used];
          const growthOf = (of: (one: Used) => number) =>
            Math.max(of(half) / of(quarter) / 2, of(all) / of(quarter) / 4);
          figures[`${subject} time`] = growthOf(({ seconds }) => seconds);
          figures[`${subject} memory`] = growthOf(({ mb }) => mb);
          figures[`${subject} s`] = all.seconds;
          figures[`${subject} MB`] = all.mb;
        }
        return figures;
      },
    };
  },
};

async function usedFor(subject: string, size: number, folder: string): Promise<Used> {
  const own = await mkdtemp(path.join(folder, `${subject}-`));
  const words = ['--expose-gc', '--import', 'tsx', growing, subject, String(size), own];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  await rm(own, { recursive: true });
  return JSON.parse(stdout) as Used;
}
