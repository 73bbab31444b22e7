import { writeFileSync } from 'node:fs';
import type { Tally } from './tally';

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
      runner.once('end', () => {
        const { passes, failures, pending } = this.stats;
        const tally: Tally = { passed: passes, failed: failures, skipped: pending };
        writeFileSync(file, JSON.stringify(tally));
      });
    }
  };
}
