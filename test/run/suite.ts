import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { outFolder, root } from '../support/paths';
import type { Arguments } from './arguments';
import { nothing, type Tally } from './tally';

const reporter = path.join(root, 'test/run/reporter.ts');
const evidence = path.join(root, 'test/support/evidence.ts');
const seed = path.join(root, 'test/run/seed.ts');
const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');

/** Runs the files of one height in a plain Node process of its own. */
export async function runInNode(
  height: 'unit' | 'processes' | 'panels' | 'journeys',
  args: Arguments,
): Promise<Tally> {
  const named = args.files.filter((file) => file.includes(`test/${height}/`));
  const all = named.length > 0 ? named : globSync(`test/${height}/**/*.test.ts`, { cwd: root });
  const files = shardOf(longestFirst(all), args.shard);
  // Only a hanging test takes longer: beside four busy programs one that takes half a minute takes five.
  const timeout = '300000';
  const tallyFile = newTallyFile(height);
  const told = [
    '--import',
    'tsx',
    mocha,
    '--reporter',
    reporter,
    '--timeout',
    timeout,
    // Handles that a failed hook or test has left open must not delay the end of the run.
    '--exit',
    ...['--require', ['unit', 'processes'].includes(height) ? seed : evidence],
    ...(files.length !== 1 ? sideBySide() : []),
    ...args.mocha,
    ...files,
  ];
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, told, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, MODEL_BENCH_TALLY: tallyFile, MODEL_BENCH_ROOT: root },
    });
    child.once('error', reject);
    child.once('close', resolve);
  });
  return readTally(tallyFile, `The ${height} suite ended with ${code}`);
}

/** Each file in a process of its own, as many at once as there are cores. */
function sideBySide(): readonly string[] {
  const jobs = Math.min(availableParallelism(), 4);
  return jobs > 1 ? ['--parallel', '--jobs', String(jobs)] : [];
}

/** Short files that take long, the longest first: they start processes, repeat kills or orders, or wait for pauses. */
const LONG = [
  ...['simulation/orders', 'store/promisedNodes', 'indexing/jobFaults', 'snippets/snippets'],
  ...['snippets/hostileInit', 'indexing/jobInterrupted', 'indexing/job', 'experiments/largestResults'],
  ...['cli/promisedNodes', 'cli/judges', 'indexing/hostileWalk', 'runs/jobGuard', 'sandbox/database'],
  ...['experiments/fullDisk', 'store/kills', 'service/environments', 'switching'],
];

/** Those, then the others by their size, which goes with their time: a long one that comes last is waited for by idle cores. */
function longestFirst(files: readonly string[]): readonly string[] {
  const rank = (file: string) => {
    const at = LONG.findIndex((name) => file.endsWith(`/${name}.test.ts`));
    return at < 0 ? LONG.length : at;
  };
  const size = (file: string) => statSync(path.resolve(root, file)).size;
  return files.toSorted((a, b) => rank(a) - rank(b) || size(b) - size(a));
}

/** Every nth file: the long ones, which come first, are shared out. */
function shardOf(files: readonly string[], shard: Arguments['shard']): readonly string[] {
  return shard ? files.filter((_, at) => at % shard.parts === shard.part - 1) : files;
}

export function newTallyFile(suite: string): string {
  const file = path.join(outFolder, 'tally', `${suite}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

/** A suite without counts did not reach its end: a failure, even if no test failed. */
export function readTally(file: string, ending: string): Tally {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Tally;
  const error = 'It could not count its tests.';
  return { ...nothing, failed: 1, failures: [{ file: '', title: ending, error }] };
}
