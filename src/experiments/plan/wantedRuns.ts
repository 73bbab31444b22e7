import * as l10n from '@vscode/l10n';
import type { KeptOutcome } from '../../store/experimentResults';
import type { Store } from '../../store/store';
import type { LoadedExperiment } from '../file/load';
import type { OutcomeState, ResultEntry } from '../results/resultLine';
import { countingEntry } from '../results/resultOrder';
import { appendLines, FileReplaced, ResultsFile, UnreadableLines } from '../results/resultsFile';
import { ResultsWriter } from '../results/resultsWriter';
import { StopWatch } from '../stop/stopWatch';
import { endInterrupted } from './experimentJobs';
import { type PlannedRun, withRecordedIds, withRuns } from './plan';

/** The planned runs by their outcomes so far. */
export interface SortedRuns {
  /** The experiment with all its runs under the IDs of their results. */
  readonly loaded: LoadedExperiment;
  readonly all: readonly PlannedRun[];
  readonly missing: readonly PlannedRun[];
  /**
   * Without an outcome, and in flight in another window or terminal, or in one that was killed a moment ago. A job with
   * them waits for these outcomes, and sends only those that were not sent after all.
   */
  readonly underWay: readonly PlannedRun[];
  readonly failed: readonly PlannedRun[];
  /** Sent without an outcome that is known: they may have been charged. */
  readonly unconfirmed: readonly PlannedRun[];
  readonly finished: number;
  /** Runs without a result that are left out, since their columns have ended: see `StopWatch`. */
  readonly leftOut: number;
  /** Outcomes of missing, unconfirmed and failed runs that the file does not have, and the store does. */
  readonly kept: readonly KeptOutcome[];
  /** The store's count of results when these were read. */
  readonly since: number;
  /** The part of the results file that was read. */
  readonly known: ResultsFile;
}

/**
 * Compares the plan with the results file, after the remains of an interrupted window were settled and written there.
 * @param results absolute path of the results file
 * @param runs missing: all of the plan
 */
export async function sortRuns(
  store: Store,
  planned: LoadedExperiment,
  results: string,
  runs: readonly PlannedRun[] = planned.plan.runs,
): Promise<SortedRuns> {
  await endInterrupted(store, results, new Set(possible(planned.plan.runs)));
  // Before the file is written: an outcome that is recorded from now on may be missing in it, and is never sent again.
  const since = store.experimentResults.revision();
  await new ResultsWriter(store.experimentResults, results, () => undefined).flush();
  const known = await ResultsFile.open(results);
  const entries = known.lines.runs;
  const inFlight = store.experimentResults.inFlight(results);
  const isFinished = (id: string) => countingEntry(entries.get(id) ?? [])?.state === 'finished';
  const open = planned.plan.runs.filter(({ customId }) => !isFinished(customId));
  const kept = new Map(
    store.experimentResults.kept(results, possible(open)).map((one) => [one.customId, one]),
  );
  const stateOf = (id: string): OutcomeState | undefined => {
    const lines = entries.get(id) ?? [];
    const entry = countingEntry(lines);
    const flight = inFlight.get(id);
    // A run that another store has sent is unconfirmed, even if a job of this one was about to send it. A known outcome
    // settles requests up to its time.
    const isOurs = ({ state, sender, at }: ResultEntry) =>
      state !== 'sent' || sender === flight?.job || at === flight?.startedAt;
    // A job of another file may end at any time: this start does not wait for it.
    if (flight?.isElsewhere) return entry?.line.state ?? 'unconfirmed';
    const own = kept.get(id);
    const isKnown = own !== undefined && own.state !== 'unconfirmed' && own.startedAt >= (entry?.at ?? '');
    const isSettled = isKnown || (flight && lines.every(isOurs));
    return entry?.state === 'sent' && isSettled ? undefined : entry?.line.state;
  };
  const isRecorded = (id: string) => entries.has(id) || inFlight.has(id) || kept.has(id);
  const all = withRecordedIds(runs, isRecorded);
  const loaded = withRuns(planned, withRecordedIds(planned.plan.runs, isRecorded));
  const states = all.map(({ customId }) => stateOf(customId));
  const of = (state: OutcomeState | undefined) => all.filter((_run, at) => states[at] === state);
  const unrun = of(undefined);
  const watch = unrun.length > 0 ? StopWatch.of(loaded, results) : undefined;
  await watch?.read((await known.held()).results);
  const wanted = watch ? unrun.filter((run) => !watch.isEnded(run)) : unrun;
  const isUnderWay = ({ customId }: PlannedRun) => inFlight.has(customId);
  const missing = wanted.filter((run) => !isUnderWay(run));
  const [unconfirmed, failed] = [of('unconfirmed'), of('failed')];
  return {
    loaded,
    all,
    missing,
    since,
    known,
    leftOut: unrun.length - wanted.length,
    underWay: wanted.filter(isUnderWay),
    failed,
    unconfirmed,
    finished: of('finished').length,
    kept: [...missing, ...unconfirmed, ...failed].flatMap(({ customId }) => {
      const one = kept.get(customId);
      return one && isNews(one, entries.get(customId) ?? []) ? [one] : [];
    }),
  };
}

const possible = (some: readonly PlannedRun[]) =>
  some.flatMap(({ customId, otherIds = [] }) => [customId, ...otherIds]);

/** Whether an outcome tells more than the lines of its run: not of a request that was taken back, or before them. */
function isNews({ state, startedAt, sender }: KeptOutcome, lines: readonly ResultEntry[]): boolean {
  if (state === 'finished') return true;
  const entry = countingEntry(lines);
  if (entry) return state === 'failed' && entry.line.state === 'unconfirmed' && startedAt >= entry.at;
  const isTaken = (line: ResultEntry) =>
    line.state === 'returned' && line.at === startedAt && line.sender === sender;
  return state === 'failed' || !lines.some(isTaken);
}

/** Decisions about results that may have been paid. Undefined stops: no run is to be sent. */
export interface KnownRunChoices {
  /** Asks for the outcomes of runs that a service has accepted, for any file, before anything is decided. */
  accepted(customIds: ReadonlySet<string>): Promise<unknown>;
  /** Finished runs are sent again on purpose: outcomes under other files do not count. */
  readonly isAgain?: boolean;
  /** Whether outcomes that the store has are used, or their runs sent again. @param open how many have no outcome */
  use(kept: readonly KeptOutcome[], open: number): Promise<boolean | undefined>;
}

/**
 * The runs by their outcomes, after these decisions. Undefined: one of them stops. @param runs see `sortRuns`
 * @throws UnreadableLines where runs are missing, and a line of the file may be one of them
 */
export async function decidedRuns(
  store: Store,
  loaded: LoadedExperiment,
  results: string,
  decide: KnownRunChoices,
  runs?: readonly PlannedRun[],
): Promise<SortedRuns | undefined> {
  await decide.accepted(new Set(possible(loaded.plan.runs)));
  let isUsed: boolean | undefined;
  // The file may lose them again meanwhile: only a person's word sends a run of which the store has the outcome.
  for (let time = 0; time < MOST_TIMES; time++) {
    const sorted = await sortRuns(store, loaded, results, runs);
    const { missing, unconfirmed, known } = sorted;
    const kept = sorted.kept.filter(({ file }) => !decide.isAgain || file === results);
    if (kept.length > 0) isUsed ??= await decide.use(kept, missing.length + unconfirmed.length);
    if (kept.length > 0 && isUsed === undefined) return undefined;
    if (kept.length > 0 && isUsed) {
      await useKept(store, results, kept);
      continue;
    }
    const { unreadable } = known.lines;
    if (missing.length > 0 && unreadable.length > 0) throw new UnreadableLines(results, unreadable);
    return sorted;
  }
  throw new FileReplaced(results);
}

/** Attempts to write known outcomes into a file that loses them again. */
const MOST_TIMES = 5;

/** Writes outcomes that the store has into the file, with people's judgements of them: free of charge. */
async function useKept(store: Store, results: string, kept: readonly KeptOutcome[]): Promise<void> {
  await store.experimentResults.bring(results, kept);
  await new ResultsWriter(store.experimentResults, results, () => undefined).flush();
  const judgements = store.experimentResults.judgements(kept.map(({ customId }) => customId));
  if (judgements.length === 0) return;
  const { lines } = await ResultsFile.open(results);
  const there = new Set([...lines.judgements.values()].map(({ line }) => JSON.stringify(line)));
  await appendLines(
    results,
    judgements.filter((line) => !there.has(line)),
  );
}

/** How many runs another window or terminal has in flight. */
export function underWayText(count: number): string {
  return count === 1
    ? l10n.t('1 is in progress in another window or terminal, or was when that was closed (not sent again).')
    : l10n.t(
        '{0} are in progress in another window or terminal, or were when that was closed (not sent again).',
        count,
      );
}
