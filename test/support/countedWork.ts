import { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { build } from 'esbuild';
import { root } from './paths';

/** Product code whose work is counted. */
interface Counted<Modules> {
  readonly code: Modules;
  /**
   * The work of an act in steps: how often a block of the code was entered, by V8's coverage. It is the same on every
   * machine, and a function of the input only. Work inside of V8 (regular expressions, `JSON.parse`) is not counted.
   */
  steps(act: () => unknown): Promise<number>;
}

const require = createRequire(import.meta.url);

/**
 * Loads modules of the product so that V8 counts their blocks, which it does only in code that it compiles after it was
 * asked to: hence the bundle.
 * @param files relative to the root, with all that they import
 * @param given modules that do not exist in Node, by name
 */
export function useCounted<Modules>(
  files: readonly string[],
  given: Readonly<Record<string, unknown>> = {},
): Counted<Modules> {
  const session = new Session();
  const counted = {} as { code: Modules };
  before('counts the work of the code', async () => {
    const { outputFiles } = await build({
      stdin: { contents: files.map((file) => `export * from './${file}';`).join('\n'), resolveDir: root },
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      mainFields: ['module', 'main'],
      external: ['vscode'],
    });
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    const code = vm.compileFunction(outputFiles[0]!.text, ['module', 'exports', 'require'], {
      filename: COUNTED,
    });
    const module = { exports: {} as Modules };
    code(module, module.exports, (name: string) => given[name] ?? require(name));
    counted.code = module.exports;
  });
  after(() => session.disconnect());
  return {
    get code() {
      return counted.code;
    },
    steps: async (act) => {
      takeSteps(session);
      await act();
      return takeSteps(session);
    },
  };
}

const COUNTED = 'counted.cjs';

/** The steps since the last call. */
function takeSteps(session: Session): number {
  let steps = 0;
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    for (const { url, functions } of taken.result)
      if (url === COUNTED) for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  });
  return steps;
}

/** Milliseconds of the processor that are measured at least: some systems count in steps of 10. */
const MEASURABLE_MS = 50;

/** How many times the processor's time of one act another takes, for work inside of V8: any load is the same for both. */
export function timesAsLong(act: () => unknown, than: () => unknown): number {
  return timeOfOne(act) / timeOfOne(than);
}

/** Of an act that is repeated until it can be measured. */
function timeOfOne(act: () => unknown): number {
  for (let repeats = 1; ; repeats *= 4) {
    const time = threadTime(() => {
      for (let turn = 0; turn < repeats; turn++) act();
    });
    if (time >= MEASURABLE_MS) return time / repeats;
  }
}

/** Milliseconds that this thread works on something; of the whole process where Node cannot tell (before 23.9). */
export function threadTime(act: () => unknown): number {
  const { threadCpuUsage = process.cpuUsage } = process as typeof process & {
    threadCpuUsage?: (since?: NodeJS.CpuUsage) => NodeJS.CpuUsage;
  };
  const before = threadCpuUsage.call(process);
  act();
  const { user, system } = threadCpuUsage.call(process, before);
  return (user + system) / 1000;
}
