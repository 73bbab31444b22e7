import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

/** How often mutants were reached, by their ids: while files were loaded, and in each test, by its full title. */
export interface Coverage {
  readonly static: Readonly<Record<string, number>>;
  readonly perTest: Record<string, Record<string, number>>;
}

/** Data for a thread that a test starts. */
interface Told {
  /** The test that is counted. */
  readonly test?: string | undefined;
  readonly mutant?: string;
  /** The mutant may be reached this often; beyond that it counts as endless. */
  readonly hitLimit?: number | undefined;
}

const TEST = 'MODEL_BENCH_MUTANTS_TEST';
const HIT_LIMIT = 'MODEL_BENCH_MUTANTS_HIT_LIMIT';
/** The code that threads reached, a file each. */
const FOLDER = 'reached-in-threads';

/** A new thread has its creator's environment, and so do processes, which find the mutant there. */
export function tellThreads({ test, mutant, hitLimit }: Told): void {
  setOrDelete(TEST, test);
  setOrDelete(HIT_LIMIT, hitLimit?.toString());
  // Where broken code looks when it is loaded.
  setOrDelete('__STRYKER_ACTIVE_MUTANT__', mutant);
}

/** Adds the code that threads reached. Code that also runs while files are loaded here stays left out. */
export function reachedInThreads(here: Coverage | undefined): Coverage {
  const all: Coverage = here ?? { static: {}, perTest: {} };
  mkdirSync(FOLDER, { recursive: true });
  for (const file of readdirSync(FOLDER)) {
    const { perTest } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Coverage;
    for (const [test, counts] of Object.entries(perTest)) {
      all.perTest[test] ??= {};
      for (const [mutant, count] of Object.entries(counts))
        if (!(mutant in all.static)) all.perTest[test][mutant] = (all.perTest[test][mutant] ?? 0) + count;
    }
  }
  return all;
}

function setOrDelete(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

// In each thread that a test starts, before its own code, for it is imported by the arguments of the process.
if (!isMainThread) {
  const { [TEST]: currentTestId, [HIT_LIMIT]: hitLimit } = process.env;
  const counting: {
    mutantCoverage?: Coverage;
    currentTestId?: string;
    hitLimit?: number;
    hitCount?: number;
  } = {
    ...(currentTestId !== undefined && { currentTestId }),
    ...(hitLimit !== undefined && { hitLimit: Number(hitLimit), hitCount: 0 }),
  };
  Object.assign(globalThis, { __stryker__: counting });
  process.on('exit', () => {
    if (currentTestId === undefined || !counting.mutantCoverage) return;
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path.join(FOLDER, `${threadId}.json`), JSON.stringify(counting.mutantCoverage));
  });
}
