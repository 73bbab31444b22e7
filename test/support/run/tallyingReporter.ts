import { writeFileSync } from 'node:fs';
import { type SlowTest, slowestOf, type Tally } from './tally';

/**
 * Mocha's own spec output, and the counts as JSON into the file that MODEL_BENCH_TALLY names: they have to come
 * out of other processes, and out of an extension host that cannot be asked. Mocha is handed in, because an
 * extension host can only load it by `import()`.
 */
export function tallyingReporter(mocha: typeof Mocha): Mocha.ReporterConstructor {
  return class extends mocha.reporters.Spec {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      const file = process.env.MODEL_BENCH_TALLY;
      if (!file) return;
      const durations: SlowTest[] = [];
      runner.on('pass', (test) => durations.push({ title: test.fullTitle(), ms: test.duration ?? 0 }));
      const failed: string[] = [];
      runner.on('fail', (test, error: Error) => failed.push(`${test.fullTitle()}\n${error.stack ?? error}`));
      runner.once('end', () => {
        const { passes, failures, pending } = this.stats;
        const slowest = slowestOf(durations);
        const counts = { passed: passes, failed: failures, skipped: pending };
        const tally: Tally = { ...counts, slowest, failures: failed };
        writeFileSync(file, JSON.stringify(tally));
      });
    }
  };
}
