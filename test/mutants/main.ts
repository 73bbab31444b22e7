import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { root } from '../support/paths';
import { changedFiles, importsBetween, importsOf, testFiles } from '../support/run/changed';
import { toolScript } from '../support/runtime/tool';
import { changedLines } from './changedLines';
import { readScores, type Score } from './score';

/** The rooms whose tests must notice a small breakage, and where their tests are. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src/service': ['service'],
  'src/runs': ['runs', 'billing'],
  'src/jobs': ['jobs', 'indexing'],
  'src/indexing': ['indexing', 'platform'],
  'src/store': ['store'],
  'src/forms': ['forms'],
};

/**
 * Breaks files in small ways, one after another, and looks whether their tests notice: those unit tests of their room that
 * import them most directly. What stands outside of functions is left out: it runs once, when files are loaded. A survivor
 * may still be noticed by the other tests.
 * @param args files (also with lines, `file.ts:3-5`) and folders, or `--changed[=COMMIT]` for the lines that changed since; nothing means every room
 */
export async function main(args: readonly string[]): Promise<number> {
  const mutated = filesFor(args);
  if (mutated.length === 0) {
    console.log('Nothing was changed in the rooms that are tested so.');
    return 0;
  }
  const stryker = await toolScript('stryker');
  const tests = testFiles().filter((test) => test.startsWith('test/unit/'));
  const { inputs } = await importsOf(tests);
  const placesByTests = new Map<string, string[]>();
  for (const place of mutated) {
    const [file = ''] = place.split(':');
    const folders = Object.entries(ROOMS).find(([room]) => file.startsWith(`${room}/`))?.[1] ?? [];
    const near = closest(
      tests.filter((test) => folders.some((folder) => test.startsWith(`test/unit/${folder}/`))),
      (test) => importsBetween(test, file, inputs),
    ).join();
    if (near === '') console.log(`${file}: no unit test of its room imports it.`);
    else placesByTests.set(near, [...(placesByTests.get(near) ?? []), place]);
  }
  const scores = [...placesByTests].flatMap(([near, places]) => mutate(stryker, places, near.split(',')));
  for (const { file, noticed, all, survivors } of scores) {
    console.log(`${file}: ${noticed} of ${all} noticed`);
    for (const survivor of survivors) console.log(`  ${survivor}`);
  }
  const noticed = scores.reduce((sum, score) => sum + score.noticed, 0);
  const all = scores.reduce((sum, score) => sum + score.all, 0);
  console.log(`\n${noticed} of ${all} noticed`);
  return noticed >= all * 0.9 ? 0 : 1;
}

/** The tests with the smallest distance: what a file promises is tested there, and in seconds. */
function closest(
  tests: readonly string[],
  distanceOf: (test: string) => number | undefined,
): readonly string[] {
  const distances = new Map(tests.map((test) => [test, distanceOf(test) ?? Number.POSITIVE_INFINITY]));
  const smallest = Math.min(...distances.values());
  return tests.filter((test) => distances.get(test) === smallest && Number.isFinite(smallest));
}

/** What Stryker is to mutate: files, some with the lines that count (`file.ts:3-5`). */
function filesFor(args: readonly string[]): readonly string[] {
  const changed = args.map((arg) => /^--changed(?:=(.+))?$/.exec(arg)).find((match) => match !== null);
  if (changed) {
    const since = changed[1] ?? 'HEAD';
    return changedFiles(since)
      .filter(isMutable)
      .flatMap((file) => changedLines(file, since).map((lines) => file + lines));
  }
  const places = args.length > 0 ? args : Object.keys(ROOMS);
  return places.flatMap((place) =>
    /\.ts(?::\d+-\d+)?$/.test(place)
      ? [place]
      : readdirSync(path.join(root, place), { recursive: true, encoding: 'utf8' })
          .map((file) => path.posix.join(place, file.replaceAll(path.sep, '/')))
          .filter(isMutable),
  );
}

function isMutable(file: string): boolean {
  return file.endsWith('.ts') && Object.keys(ROOMS).some((room) => file.startsWith(`${room}/`));
}

/** @param places with the same closest tests */
function mutate(stryker: string, places: readonly string[], tests: readonly string[]): readonly Score[] {
  const name = places[0]!.replaceAll(/\W+/g, '-');
  const report = path.join('out', 'mutants', `${name}.json`);
  const config = path.join(root, 'out', 'mutants', `${name}.config.json`);
  mkdirSync(path.dirname(config), { recursive: true });
  const options = {
    mutate: places,
    testRunner: 'loaded-once',
    plugins: [path.join(root, 'test/mutants/runner.ts')],
    testRunnerNodeArgs: ['--import', 'tsx'],
    testFiles: tests,
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: availableParallelism(),
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 20,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    // A copy of the tree, so that nothing is broken in the one that is worked in.
    tempDirName: path.join('out', 'mutants', 'copy'),
    cleanTempDir: 'always',
    ignorePatterns: ['/out', '/docs', '/media', '/l10n', '/bench'],
    // Only TypeScript's compiler needs these changed; tsx does not.
    disableTypeChecks: false,
    tsconfigFile: 'none.json',
    checkers: [],
  };
  writeFileSync(config, JSON.stringify(options, null, 2));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', stryker, 'run', config], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`Stryker ended with ${status} on ${places.join(', ')}.`);
  return readScores(readFileSync(path.join(root, report), 'utf8'));
}
