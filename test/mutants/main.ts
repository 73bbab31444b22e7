import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { root } from '../support/paths';
import { toolScript } from '../support/runtime/tool';
import { importsOf, reachedFrom } from './imports';
import { readScores, type Score } from './score';

const IN_NODE = /^test\/(?:unit|processes)\//;

/** Files that unit tests must notice a small breakage of. */
interface Target {
  /** Files, and folders with all that is in them. */
  readonly places: readonly string[];
  /** Where their tests are, below `test/unit` and `test/processes`: folders, and a file without its ending. */
  readonly tests: readonly string[];
}

const EXPERIMENTS = [
  ...['charts', 'figures', 'gate', 'judges', 'metrics', 'plan', 'report', 'results', 'stop', 'table'],
  ...['file/items.ts', 'file/sample.ts', 'file/tableText.ts', 'files/bodies.ts', 'files/places.ts'],
].map((name) => `src/experiments/${name}`);

/** Where money and figures live. */
const TARGETS: readonly Target[] = [
  { places: ['src/service/exchange.ts'], tests: ['service', 'billing', 'simulation/found'] },
  { places: ['src/runs'], tests: ['runs', 'billing'] },
  { places: ['src/jobs'], tests: ['jobs', 'indexing', 'simulation/found'] },
  {
    places: ['src/store'],
    tests: [
      ...['store', 'runs', 'jobs/plainRuns', 'indexing/identities', 'search/pinnedSearches'],
      ...['wording/storeProblem', 'simulation/found'],
    ],
  },
  {
    places: ['src/readers'],
    tests: ['readers', 'billing', 'contracts', 'service', 'connection/walletReader'],
  },
  { places: ['src/agents'], tests: ['agents', 'store/agentGrants', 'runs/agentPurse'] },
  {
    places: EXPERIMENTS,
    tests: ['experiments', 'cli/drift', 'cli/experimentGate', 'cli/judges', 'cli/stopEarly'],
  },
  {
    places: ['src/cli', 'src/commands'],
    tests: ['cli', 'commandLine', 'experiments/runs'],
  },
];

/** The share of breakages that a target's tests notice. */
const LEAST_NOTICED = 0.85;

/**
 * Tests that are left out for a target: they test processes of their own, for seconds and more, or within a time
 * limit that instrumented code does not keep.
 */
const OUT_OF_REACH =
  /\/(?:coverage|hostile|hostileWalk|kills|largest|largestResults|orders|promisedNodes|soak|together|twins|uploadMemory)\.test\.ts$/;

/** Repeating tests repeat less often here: the first time shows a mutant. */
const FEWER = {
  MODEL_BENCH_FAULTS_RUNS: '10',
  MODEL_BENCH_FAULTS_RETRY_AFTER: '200',
  MODEL_BENCH_FAULTS_BODIES: '200',
};

/**
 * Breaks files in small ways, one after another, and checks whether the unit tests of their target notice: for each
 * breakage the quickest of those that reach it, ten seconds of them. A survivor may still be noticed by other tests.
 * Code outside of functions is left out: it runs once, when files are loaded.
 * @param args files (also with lines, `file.ts:3-5`) and folders; without one: every target. `--tests=PATTERN` takes only tests whose path matches, `--seconds=N` N seconds of
 * them for each breakage, `--every=N` only each Nth breakage: quicker, while one writes tests.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [only = ''] = args.flatMap((arg) => /^--tests=(.+)/.exec(arg)?.[1] ?? []);
  const [seconds = '10'] = args.flatMap((arg) => /^--seconds=(\d+)$/.exec(arg)?.[1] ?? []);
  const [every = '1'] = args.flatMap((arg) => /^--every=(\d+)$/.exec(arg)?.[1] ?? []);
  const mutated = filesFor(args.filter((arg) => !/^--(?:tests|seconds|every)=/.test(arg)));
  if (mutated.length === 0) {
    console.log('None of these files is broken on purpose.');
    return 0;
  }
  const stryker = await toolScript('stryker');
  const tests = globSync('test/{unit,processes}/**/*.test.ts', { cwd: root }).filter((test) =>
    new RegExp(only).test(test),
  );
  const inputs = await importsOf(tests);
  const scores = TARGETS.flatMap((target) => {
    const places = mutated.filter((place) => isOf(target, place.split(':')[0]!));
    const near = tests.filter((test) => {
      const place = `${test.replace(IN_NODE, '').replace('.test.ts', '')}/`;
      const isNear = target.tests.some((folder) => place.startsWith(`${folder}/`));
      if (OUT_OF_REACH.test(test) || !isNear) return false;
      const reached = reachedFrom(test, inputs);
      return places.some((one) => reached.has(one.split(':')[0]!));
    });
    if (places.length > 0 && near.length === 0) console.log(`${places.join(', ')}: no unit test imports it.`);
    return near.length === 0 ? [] : mutate(stryker, places, near, { seconds, every });
  });
  for (const { file, noticed, all, survivors } of scores) {
    console.log(`${file}: ${noticed} of ${all} noticed`);
    for (const survivor of survivors) console.log(`  ${survivor}`);
  }
  const noticed = scores.reduce((sum, score) => sum + score.noticed, 0);
  const all = scores.reduce((sum, score) => sum + score.all, 0);
  console.log(`\n${noticed} of ${all} noticed`);
  return noticed >= all * LEAST_NOTICED ? 0 : 1;
}

/** The files for Stryker, some with the lines that count (`file.ts:3-5`). */
function filesFor(args: readonly string[]): readonly string[] {
  const places = args.length > 0 ? args : TARGETS.flatMap((target) => target.places);
  return places.flatMap((place) =>
    /\.ts(?::\d+-\d+)?$/.test(place)
      ? [place]
      : readdirSync(path.join(root, place), { recursive: true, encoding: 'utf8' })
          .map((file) => path.posix.join(place, file.replaceAll(path.sep, '/')))
          .filter(isMutable),
  );
}

function isMutable(file: string): boolean {
  return file.endsWith('.ts') && TARGETS.some((target) => isOf(target, file));
}

function isOf({ places }: Target, file: string): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}

/**
 * @param places of one target
 * @param chosen `seconds` of tests for each mutant, at most; `every`: which mutants
 */
function mutate(
  stryker: string,
  places: readonly string[],
  tests: readonly string[],
  { seconds, every }: { readonly seconds: string; readonly every: string },
): readonly Score[] {
  const name = places[0]!.replaceAll(/\W+/g, '-');
  const report = path.join('out', 'mutants', `${name}.json`);
  const config = path.join(root, 'out', 'mutants', `${name}.config.json`);
  mkdirSync(path.dirname(config), { recursive: true });
  const options = {
    mutate: places,
    testRunner: 'loaded-once',
    plugins: [path.join(root, 'test/mutants/runner.ts')],
    testRunnerNodeArgs: ['--import', 'tsx', '--import', import.meta.resolve('./threads.ts')],
    testFiles: tests,
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: availableParallelism(),
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 20,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    // A copy of the tree, so that the working tree stays intact.
    tempDirName: path.join('out', 'mutants', `copy-${process.pid}`),
    cleanTempDir: 'always',
    ignorePatterns: ['/out', '/media', '/bench'],
    // Only TypeScript's compiler needs these changed; tsx does not.
    disableTypeChecks: false,
    tsconfigFile: 'none.json',
    checkers: [],
  };
  writeFileSync(config, JSON.stringify(options, null, 2));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', stryker, 'run', config], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...{ ...process.env, ...FEWER },
      ...{ MODEL_BENCH_MUTANTS_SECONDS: seconds, MODEL_BENCH_MUTANTS_EVERY: every },
    },
  });
  if (status !== 0) throw new Error(`Stryker ended with ${status} on ${places.join(', ')}.`);
  return readScores(readFileSync(path.join(root, report), 'utf8'), Number(every));
}
