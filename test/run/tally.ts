export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A failed test, or a failed hook. */
export interface Failure {
  /** Relative to the root; empty where the suite ended before it could count its tests. */
  readonly file: string;
  readonly title: string;
  readonly error: string;
}

export interface Tally extends Counts {
  readonly byFile: Readonly<Record<string, Counts>>;
  readonly slowest: readonly Slow[];
  readonly slowestFiles: readonly Slow[];
  /** Listed at the end of the output: a log of a long run keeps its end. */
  readonly failures: readonly Failure[];
  /** Tests that failed once and passed when their file was run alone. */
  readonly flaky: readonly Failure[];
}

/** A suite that was started: shows its output from the beginning, and resolves when it has ended. */
export type Running = () => Promise<Tally>;

/** A test, or a file with its hooks. */
export interface Slow {
  readonly title: string;
  readonly ms: number;
}

const LISTED = 20;

export const nothing: Tally = {
  ...{ passed: 0, failed: 0, skipped: 0 },
  ...{ byFile: {}, slowest: [], slowestFiles: [], failures: [], flaky: [] },
};

export function add(a: Tally, b: Tally): Tally {
  return {
    ...sum(a, b),
    byFile: { ...a.byFile, ...b.byFile },
    slowest: slowestOf([...a.slowest, ...b.slowest]),
    slowestFiles: slowestOf([...a.slowestFiles, ...b.slowestFiles]),
    failures: [...a.failures, ...b.failures],
    flaky: [...a.flaky, ...b.flaky],
  };
}

function sum(a: Counts, b: Counts, sign = 1): Counts {
  return {
    passed: a.passed + sign * b.passed,
    failed: a.failed + sign * b.failed,
    skipped: a.skipped + sign * b.skipped,
  };
}

export function slowestOf(all: readonly Slow[]): readonly Slow[] {
  return all.toSorted((a, b) => b.ms - a.ms).slice(0, LISTED);
}

/** More failing files than this are the fault of the change, not of the machine. */
const MOST_RETRIED = 8;

/**
 * Runs each failing file once more, alone: a window, or a busy machine, may fail for a reason of its own. The second
 * counts of the file replace the first. A failure of no file stays.
 */
export async function retryFailing(tally: Tally, run: (file: string) => Promise<Tally>): Promise<Tally> {
  const files = [...new Set(tally.failures.map(({ file }) => file))].filter((file) => file !== '');
  if (files.length > MOST_RETRIED) return tally;
  let total = tally;
  for (const file of files) {
    const second = await run(file);
    // A file that ran no test the second time has proven nothing.
    if (second.passed + second.failed === 0) continue;
    const failed = new Set(second.failures.map(({ title }) => title));
    const first = total.failures.filter((failure) => failure.file === file);
    total = {
      ...total,
      ...sum(sum(total, total.byFile[file] ?? nothing, -1), second),
      byFile: { ...total.byFile, [file]: second },
      failures: [...total.failures.filter((failure) => failure.file !== file), ...second.failures],
      flaky: [...total.flaky, ...first.filter(({ title }) => !failed.has(title))],
    };
  }
  return total;
}

/** The line that a run ends with; scripts read it. */
export function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
