/** What one suite came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The slowest tests, the slowest first. */
  readonly slowest: readonly SlowTest[];
  /** Each failed test with what it threw, for the end of the output: what a log keeps of a long run is its end. */
  readonly failures: readonly string[];
}

/** A suite that was started: shows what it says from its beginning, and resolves when it is over. */
export type Running = () => Promise<Tally>;

export interface SlowTest {
  readonly title: string;
  readonly ms: number;
}

/** So many slow tests are listed. */
const LISTED = 10;

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, slowest: [], failures: [] };

export function add(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    slowest: slowestOf([...a.slowest, ...b.slowest]),
    failures: [...a.failures, ...b.failures],
  };
}

export function slowestOf(tests: readonly SlowTest[]): readonly SlowTest[] {
  return tests.toSorted((a, b) => b.ms - a.ms).slice(0, LISTED);
}

/** The line that a run ends with; scripts read it. */
export function inWords({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
