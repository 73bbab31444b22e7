import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import type * as Threads from './threads';

/** One test of a run, as Stryker counts it (test-runner of its plugin API): 0 passed, 1 failed. */
interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly status: 0 | 1;
  readonly timeSpentMs: number;
  readonly failureMessage?: string;
  /** It failed by the late end of a test that an earlier mutant kept from its end. */
  readonly isStray?: boolean;
}

/** The object that mutated code reads and counts with, under its name there. */
interface Counting {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: Threads.Coverage | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

interface MutantRun {
  readonly activeMutant: { readonly id: string };
  /** The tests that reach the mutant, by their full titles. */
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
}

/** How long each test took without a mutant, by its full title: every worker of a run reads it in the copied tree. */
const TIMES = 'times-of-tests.json';
/** The time limit for all tests of a mutant, in milliseconds; the quickest count. */
const MOST_FOR_A_MUTANT_MS = Number(process.env.MODEL_BENCH_MUTANTS_SECONDS ?? '10') * 1000;
/** Which mutants run: those whose number is a multiple of this. */
const EVERY = Number(process.env.MODEL_BENCH_MUTANTS_EVERY ?? '1');
/** A test that waits for an event that a mutant never causes fails after this, and after twice its normal time. */
const LONGEST_HANG_MS = 3_000;
/** Runs of a mutant that tests of earlier ones may end, which came to their own end too late. */
const MOST_STRAYS = 5;

/**
 * Loads the tests once, and runs for each mutant only those that reach it, in the same process: milliseconds instead of the
 * seconds that a start takes. Stryker has such a runner for Mocha, which asks Mocha 12 for files that have other names now.
 */
class LoadedOnce {
  static readonly inject = ['options'] as const;
  readonly #mocha = new Mocha({
    timeout: 120_000,
    reporter: class {} as unknown as Mocha.ReporterConstructor,
  });
  readonly #counting = counting();
  #threads!: typeof Threads;
  #isCounting = false;
  #times: ReadonlyMap<string, number> | undefined;

  constructor({ testFiles }: { readonly testFiles: readonly string[] }) {
    for (const file of testFiles) this.#mocha.addFile(path.resolve(file));
    this.#mocha.cleanReferencesAfterRun(false);
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    // Not above: Stryker also loads this file without tsx, to see which plugins there are.
    this.#threads = await import('./threads');
    await this.#mocha.loadFilesAsync();
    const begin = (title: string | undefined) => {
      if (!this.#isCounting) return;
      this.#counting.currentTestId = title;
      this.#threads.tellThreads({ test: title });
    };
    this.#mocha.suite.beforeEach(function () {
      begin(this.currentTest?.fullTitle());
    });
  }

  async dryRun() {
    this.#isCounting = true;
    const tests = await this.#run(false);
    this.#isCounting = false;
    this.#threads.tellThreads({});
    writeFileSync(TIMES, JSON.stringify(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs])));
    return {
      status: 'complete',
      tests,
      mutantCoverage: this.#threads.reachedInThreads(this.#counting.mutantCoverage),
    };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRun) {
    if (Number(activeMutant.id) % EVERY !== 0) return { status: 'error', errorMessage: 'Left out.' };
    const chosen = testFilter && this.#quickest(testFilter);
    const escaped = chosen?.map((title) => `^${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`);
    this.#mocha.grep(escaped ? new RegExp(escaped.join('|')) : /^/);
    this.#counting.hitLimit = hitLimit;
    this.#counting.hitCount = hitLimit === undefined ? undefined : 0;
    this.#counting.activeMutant = activeMutant.id;
    this.#threads.tellThreads({ mutant: activeMutant.id, hitLimit });
    let tests = await this.#run(true);
    for (let more = 0; more < MOST_STRAYS && tests.some(({ isStray }) => isStray); more++)
      tests = await this.#run(true);
    this.#counting.activeMutant = undefined;
    this.#threads.tellThreads({});
    if (hitLimit !== undefined && (this.#counting.hitCount ?? 0) > hitLimit) return { status: 'timeout' };
    const failed = tests.filter(({ status }) => status === 1);
    const nrOfTests = tests.length;
    return failed.length === 0
      ? { status: 'survived', nrOfTests }
      : {
          ...{ status: 'killed', nrOfTests },
          killedBy: failed.map(({ id }) => id),
          failureMessage: failed[0]?.failureMessage ?? '',
        };
  }

  /** The quickest of these tests, as many as there is time for; the slow ones are seldom the only ones that notice. */
  #quickest(titles: readonly string[]): readonly string[] {
    const times = this.#timesOfTests();
    let sum = 0;
    return [...titles]
      .sort((one, other) => (times.get(one) ?? 0) - (times.get(other) ?? 0))
      .filter((title, index) => {
        sum += times.get(title) ?? 0;
        return index === 0 || sum <= MOST_FOR_A_MUTANT_MS;
      });
  }

  /** As the dry run wrote them, maybe in another worker; from now on files with quick tests come first. */
  #timesOfTests(): ReadonlyMap<string, number> {
    if (this.#times) return this.#times;
    const times = new Map(JSON.parse(readFileSync(TIMES, 'utf8')) as [string, number][]);
    const timeOf = (suite: Mocha.Suite): number => {
      for (const test of suite.tests) test.timeout(LONGEST_HANG_MS + 2 * (times.get(test.fullTitle()) ?? 0));
      const own = suite.tests.reduce((sum, test) => sum + (times.get(test.fullTitle()) ?? 0), 0);
      return suite.suites.reduce((sum, one) => sum + timeOf(one), own);
    };
    const timed = this.#mocha.suite.suites.map((suite) => [suite, timeOf(suite)] as const);
    this.#mocha.suite.suites = timed.sort(([, one], [, other]) => one - other).map(([suite]) => suite);
    this.#times = times;
    return times;
  }

  async #run(untilOneFails: boolean): Promise<readonly TestResult[]> {
    setBail(this.#mocha.suite, untilOneFails);
    const results: TestResult[] = [];
    let last = performance.now();
    const add = (test: Mocha.Runnable, failureMessage?: string, isStray = false) => {
      // Of a hook, the test that it was for.
      const id = test.ctx?.currentTest?.fullTitle() ?? test.fullTitle();
      const timeSpentMs = performance.now() - last;
      last = performance.now();
      const status = failureMessage === undefined ? 0 : 1;
      results.push({
        id,
        name: id,
        status,
        timeSpentMs,
        isStray,
        ...(failureMessage !== undefined && { failureMessage }),
      });
    };
    await new Promise<void>((done) => {
      this.#mocha
        .run(() => done())
        .on('pass', (test) => add(test))
        .on('fail', (test, error) =>
          add(test, String(error?.message ?? error), error?.code === 'ERR_MOCHA_MULTIPLE_DONE'),
        );
    });
    return results;
  }
}

/** The object that mutated code finds under its name, from the first file that is loaded. */
function counting(): Counting {
  const here = globalThis as { __stryker__?: Counting };
  here.__stryker__ ??= {};
  return here.__stryker__;
}

function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail);
  for (const one of suite.suites) setBail(one, bail);
}

/** As Stryker looks for them in a plugin. */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'loaded-once', injectableClass: LoadedOnce }];
