import { execSync } from 'node:child_process';
import { root } from '../paths';
import { type Arguments, type Height, readArguments } from './arguments';
import { runOnDesktop, runOnServer } from './host';
import { runInNode } from './suite';
import { add, inWords, nothing, type Tally } from './tally';

/** The oldest VS Code promised in package.json, and the newest there is. */
const desktopVersions = ['1.105.0', 'stable'];

type Suite = readonly [name: string, run: (args: Arguments) => Promise<Tally>];

const suites: Record<Height, readonly Suite[]> = {
  unit: [['plain Node', (args) => runInNode('unit', args)]],
  host: [
    ['inside the extension host of the oldest VS Code', (args) => runOnServer('oldest', args)],
    ['inside the extension host of the newest VS Code', (args) => runOnServer('newest', args)],
  ],
  journeys: [['the packaged extension in a browser', (args) => runInNode('journeys', args)]],
  desktop: desktopVersions.map((version) => [
    `inside the extension host of desktop VS Code ${version}`,
    (args) => runOnDesktop(version, args),
  ]),
};

/** Builds once, runs the suites asked for, and sums them up. Resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv);
  build(args.heights);
  const narrowed = args.files.length > 0 || args.mocha.length > 0;
  let total = nothing;
  let empty = false;
  for (const height of args.heights)
    for (const [name, run] of suites[height]) {
      console.log(`\n━━ ${height}: ${name}`);
      const tally = await run(args);
      console.log(`   ${height}: ${inWords(tally)}`);
      // Without a filter, a suite without tests is a mistake in the set-up, and no success.
      if (tally.passed + tally.failed === 0 && !narrowed) {
        console.error(`   No test ran ${name}.`);
        empty = true;
      }
      total = add(total, tally);
    }
  console.log(`\n${inWords(total)}`);
  return total.failed === 0 && total.passed > 0 && !empty ? 0 : 1;
}

/** Journeys drive the package; whatever else runs beside them then sees the same production bundles. */
function build(heights: readonly Height[]): void {
  const packaged = heights.includes('journeys');
  console.log(packaged ? 'Building and packaging …' : 'Building …');
  execSync(`npm run --silent ${packaged ? 'package' : 'build'}`, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
