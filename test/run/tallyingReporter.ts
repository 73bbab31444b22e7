import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Counts, type Failure, type Slow, slowestOf, type Tally } from './tally';

/**
 * Mocha's own spec output, and the counts as JSON in the file that MODEL_BENCH_TALLY names: they come out of other
 * processes, and out of an extension host that cannot be asked. Mocha is a parameter, because an extension host can
 * load it by `import()` only.
 */
export function tallyingReporter(mocha: typeof Mocha): Mocha.ReporterConstructor {
  return class extends mocha.reporters.Spec {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      const file = process.env.MODEL_BENCH_TALLY;
      if (!file) return;
      const durations: Slow[] = [];
      const msByFile = new Map<string, number>();
      const failures: Failure[] = [];
      const byFile: Record<string, Counts> = {};
      let begun: Mocha.Runnable | undefined;
      runner.on('test', (test) => {
        begun = test;
      });
      // A hook of all files has none of its own: it failed beside the test that has just begun.
      const sourceOf = (one: Mocha.Runnable) => nameOf(one) || (isBesideTest(one) ? nameOf(begun) : '');
      const count = (kind: keyof Counts) => (test: Mocha.Runnable) => {
        const name = sourceOf(test);
        const counts = byFile[name] ?? { passed: 0, failed: 0, skipped: 0 };
        byFile[name] = { ...counts, [kind]: counts[kind] + 1 };
      };
      const addTime = (one: Mocha.Runnable) =>
        msByFile.set(sourceOf(one), (msByFile.get(sourceOf(one)) ?? 0) + (one.duration ?? 0));
      runner.on('test end', addTime);
      runner.on('hook end', addTime);
      runner.on('pass', (test) => durations.push({ title: test.fullTitle(), ms: test.duration ?? 0 }));
      runner.on('fail', (test, error: Error) =>
        failures.push({ file: sourceOf(test), title: test.fullTitle(), error: error.stack ?? String(error) }),
      );
      runner.on('pass', count('passed'));
      runner.on('fail', count('failed'));
      runner.on('pending', count('skipped'));
      runner.once('end', () => {
        const { passes, failures: failed, pending } = this.stats;
        const counts = { passed: passes, failed, skipped: pending };
        // Root hooks belong to no file.
        msByFile.delete('');
        const slowestFiles = slowestOf([...msByFile].map(([title, ms]) => ({ title, ms })));
        const slowest = slowestOf(durations);
        const tally: Tally = { ...counts, byFile, slowest, slowestFiles, failures, flaky: [] };
        writeFileSync(file, JSON.stringify(tally));
      });
    }
  };
}

function isBesideTest({ type, ctx }: Mocha.Runnable & { type?: string }): boolean {
  return type === 'hook' && ctx?.currentTest !== undefined;
}

/** The test file relative to the root; host tests run as bundles in `out/`. */
function nameOf({ file }: { readonly file?: string | undefined } = {}): string {
  const root = process.env.MODEL_BENCH_ROOT;
  if (!file || !root) return '';
  const name = path.relative(root, file).replaceAll(path.sep, '/');
  return name.replace(/^out\//, '').replace(/\.cjs$/, '.ts');
}
