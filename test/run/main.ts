import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import lockfile from 'proper-lockfile';
import { outFolder, root } from '../support/paths';
import { browser, codeServer, photographs, sampleImages } from '../support/runtime/parts';
import { type Arguments, type Height, readArguments } from './arguments';
import { build, buildPackage } from './build';
import { runOnDesktop, runOnServer } from './host';
import { runInNode } from './suite';
import { add, inWords, nothing, type Running, retryFailing, type Tally } from './tally';

/** The oldest VS Code promised in package.json, and the newest there is. */
const desktopVersions = ['1.105.0', 'stable'];

type Suite = readonly [name: string, start: (args: Arguments) => Running];

const suites: Record<Height, readonly Suite[]> = {
  unit: [['plain Node', (args) => () => runInNode('unit', args)]],
  processes: [['programs that plain Node starts', (args) => () => runInNode('processes', args)]],
  host: [
    ['inside the extension host of the oldest VS Code', (args) => runOnServer('oldest', args)],
    ['inside the extension host of the newest VS Code', (args) => runOnServer('newest', args)],
  ],
  panels: [['the extension without a window', (args) => () => runInNode('panels', args)]],
  journeys: [['the packaged extension in a browser', (args) => () => runInNode('journeys', args)]],
  desktop: desktopVersions.map((version) => [
    `inside the extension host of desktop VS Code ${version}`,
    (args) => () => runOnDesktop(version, args),
  ]),
};

/** Heights that run at the same time: hosts mostly wait. Beside journeys nothing does: windows would wait for it. */
const together: readonly (readonly Height[])[] = [
  ['unit', 'host'],
  ['processes'],
  ['panels'],
  ['journeys'],
  ['desktop'],
];

/** Builds once, runs the suites asked for, and sums them up. Resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv);
  const leave = await alone();
  try {
    return await runAll(args);
  } finally {
    await leave();
  }
}

/** Waits for another run of this clone: a build would replace the bundles under its tests. */
async function alone(): Promise<() => Promise<void>> {
  mkdirSync(outFolder, { recursive: true });
  const options = {
    lockfilePath: path.join(outFolder, 'run.lock'),
    stale: 60_000,
    onCompromised: () => undefined,
  };
  const retries = { retries: 3600, factor: 1, minTimeout: 1000, maxTimeout: 1000 };
  try {
    return await lockfile.lock(outFolder, options);
  } catch {
    console.log('Waiting for another run of tests in this folder …');
    return lockfile.lock(outFolder, { ...options, retries });
  }
}

async function runAll(args: Arguments): Promise<number> {
  // Downloads wait for the network, and for the disk.
  const narrowed = args.files.length > 0 || args.mocha.length > 0;
  // Unit tests load sources; the one that lists the files of the package is content with an earlier build.
  const areSources = narrowed && args.heights.every((height) => height === 'unit' || height === 'processes');
  const isBuilt = areSources && existsSync(path.join(root, 'dist/extension.js'));
  // Journeys drive the package; other tests beside them then use the same production bundles.
  await Promise.all([
    isBuilt || (args.heights.includes('journeys') ? buildPackage() : build()),
    fetchParts(args.heights, !narrowed),
  ]);
  let total = nothing;
  let empty = false;
  for (const heights of together) {
    const asked = heights.filter((height) => args.heights.includes(height));
    // Side by side where they can, and shown one after another.
    const tallies: { height: Height; name: string; tally: Tally }[] = [];
    const started = asked.flatMap((height) =>
      suites[height].map(([name, start]) => ({ height, name, show: start(args) })),
    );
    for (const { height, name, show } of started) {
      console.log(`\n━━ ${height}: ${name}`);
      const tally = await show();
      console.log(`   ${height}: ${inWords(tally)}`);
      tallies.push({ height, name, tally });
      // Without a filter, a suite without tests is a mistake in the set-up, and no success.
      if (tally.passed + tally.failed === 0 && !narrowed) {
        console.error(`   No test ran ${name}.`);
        empty = true;
      }
    }
    // After all that runs side by side: a retry is alone on the machine.
    for (const { height, name, tally } of tallies) {
      const again = suites[height].find(([suite]) => suite === name)![1];
      const retry = async (file: string) => {
        console.log(`\n━━ ${height}, once more and alone: ${file}, ${name}`);
        return again({ ...args, files: [file], heights: [height] })();
      };
      total = add(total, await retryFailing(tally, retry));
    }
  }
  for (const [kind, slowest] of [
    ['tests', total.slowest],
    ['files', total.slowestFiles],
  ] as const) {
    if (slowest.length > 1) console.log(`\nThe slowest ${kind}:`);
    for (const { title, ms } of slowest) console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${title}`);
  }
  for (const { title, error } of total.flaky)
    console.log(`\nFlaky, passed when run alone: ${title}\n  ${error.replaceAll('\n', '\n  ')}`);
  for (const { title, error } of total.failures)
    console.log(`\nFailed: ${title}\n  ${error.replaceAll('\n', '\n  ')}`);
  console.log(`\n${inWords(total)}`);
  return total.failed === 0 && total.passed > 0 && !empty ? 0 : 1;
}

/**
 * Fetches a height's parts from npm, before tests run: beside them a download takes minutes, and slows them.
 * @param all also parts of a few tests, which otherwise fetch them themselves
 */
async function fetchParts(heights: readonly Height[], all: boolean): Promise<void> {
  const has = (...wanted: readonly Height[]) => wanted.some((height) => heights.includes(height));
  await Promise.all([
    has('host') && codeServer('oldest'),
    has('host', 'journeys') && codeServer('newest'),
    has('panels', 'journeys') && browser(),
    all && has('unit', 'processes', 'journeys') && sampleImages(),
    all && has('journeys') && photographs(),
  ]);
}
