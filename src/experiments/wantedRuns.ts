import * as l10n from '@vscode/l10n';
import { Turns } from '../service/turns';
import type { Store } from '../store/store';
import { endInterrupted, endOfGoneFiles } from './experimentJobs';
import { isGone } from './files/door';
import type { LoadedExperiment } from './load';
import { type PlannedRun, withRuns } from './plan';
import { withRecordedIds } from './recordedIds';
import type { OutcomeState, ResultEntry } from './resultLine';
import { countingEntry } from './resultOrder';
import { readingResults, type UnreadableRuns, unreadableRuns } from './results';
import { appendLines, type KnownResults, readKnownResults } from './resultsFile';
import { ResultsWriter } from './resultsWriter';
import { StopWatch } from './stop/stopWatch';

/** The planned runs by their outcomes so far. */
export interface SortedRuns {
  /** The experiment with all its runs under the IDs of their results. */
  readonly loaded: LoadedExperiment;
  /** The sorted runs. */
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
  /** IDs of missing runs whose results the file no longer has, and the store still does. */
  readonly lost: readonly string[];
  /** Unreadable parts of the file that may be one of the missing runs. */
  readonly unreadable: UnreadableRuns | undefined;
  /** The store's count of results when these were read. */
  readonly since: number;
  /** The known part of the results file. */
  readonly known: KnownResults;
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
  await endInterrupted(store, results);
  await new ResultsWriter(store.experimentResults, results, () => undefined).flush();
  const since = store.experimentResults.revision();
  const known = await readKnownResults(results);
  const inFlight = store.experimentResults.inFlight(results);
  const lost = goneResults(store.experimentResults.written(results), known.entries.runs);
  const states = new Map<string, OutcomeState>();
  for (const [id, entries] of known.entries.runs) {
    const entry = countingEntry(entries);
    // A run that another store has sent is unconfirmed, even if a job of this one was about to send it.
    const flight = inFlight.get(id);
    const isOurs =
      flight !== undefined &&
      entries.every(
        ({ state, sender, at }) => state !== 'sent' || sender === flight.job || at === flight.startedAt,
      );
    const isSettled = entry?.state === 'sent' && (isOurs || lost.has(id));
    if (entry && !isSettled) states.set(id, entry.line.state);
  }
  const named = unreadableRuns(known.entries.unreadable, () => true)?.ids ?? [];
  const open = [...inFlight.keys(), ...lost, ...named].map((id) => [id, 'unconfirmed'] as const);
  const recorded = new Map<string, OutcomeState>([...open, ...states]);
  const all = withRecordedIds(runs, recorded);
  const loaded = withRuns(planned, withRecordedIds(planned.plan.runs, recorded));
  const of = (state: OutcomeState | undefined) =>
    all.filter(({ customId }) => states.get(customId) === state);
  const unrun = of(undefined);
  const watch = unrun.length > 0 ? StopWatch.of(loaded, results) : undefined;
  await watch?.read((await new Turns().through(readingResults(known.entries))).results);
  const wanted = watch ? unrun.filter((run) => !watch.isEnded(run)) : unrun;
  const isUnderWay = ({ customId }: PlannedRun) => inFlight.has(customId);
  const missing = wanted.filter((run) => !isUnderWay(run));
  const missingIds = new Set(missing.map(({ customId }) => customId));
  return {
    ...{ loaded, all, missing, since, known, leftOut: unrun.length - wanted.length },
    underWay: wanted.filter(isUnderWay),
    lost: [...lost].filter((id) => missingIds.has(id)),
    ...{ failed: of('failed'), unconfirmed: of('unconfirmed'), finished: of('finished').length },
    unreadable:
      missing.length > 0 ? unreadableRuns(known.entries.unreadable, (id) => missingIds.has(id)) : undefined,
  };
}

/** Decisions about results that may have been paid. Undefined stops: no run is to be sent. */
export interface KnownRunChoices {
  /** Asks for the outcomes of runs that a service has accepted, before anything is decided. */
  accepted(): Promise<unknown>;
  /** Whether results that the file no longer has are restored, or their runs sent again. */
  restore(lost: number): Promise<boolean | undefined>;
  /** Whether results of another file are used, or their runs sent again. */
  use(elsewhere: ResultsElsewhere, open: number): Promise<boolean | undefined>;
  unreadable(runs: UnreadableRuns): Promise<UnreadableChoice | undefined>;
}

/** The runs by their outcomes, after these decisions. Undefined: one of them stops. @param runs see `sortRuns` */
export async function decidedRuns(
  store: Store,
  loaded: LoadedExperiment,
  results: string,
  decide: KnownRunChoices,
  runs?: readonly PlannedRun[],
): Promise<SortedRuns | undefined> {
  const sort = () => sortRuns(store, loaded, results, runs);
  await decide.accepted();
  let sorted = await sort();
  if (sorted.lost.length > 0) {
    const isRestored = await decide.restore(sorted.lost.length);
    if (isRestored === undefined) return undefined;
    if (isRestored) await restoreResults(store, results, sorted.lost);
    sorted = await sort();
  }
  for (const { ids: all, ...file } of await resultsElsewhere(store, results, sorted)) {
    const open = [...sorted.missing, ...sorted.unconfirmed];
    const wanted = possibleIds(open);
    const ids = all.filter((id) => wanted.has(id));
    if (ids.length === 0) continue;
    const isUsed = await decide.use({ ...file, ids }, open.length);
    if (isUsed === undefined) return undefined;
    if (!isUsed) continue;
    await useResults(store, results, { ...file, ids });
    sorted = await sort();
  }
  if (!sorted.unreadable) return sorted;
  const choice = await decide.unreadable(sorted.unreadable);
  return choice && withUnreadable(sorted, choice);
}

/**
 * Results of the store that its file no longer has: rolled back, of another branch, or deleted by hand. An outcome does
 * not settle requests that were sent after it.
 */
function goneResults(
  written: ReturnType<Store['experimentResults']['written']>,
  runs: ReadonlyMap<string, readonly ResultEntry[]>,
): ReadonlySet<string> {
  const gone = written.filter(({ customId, startedAt }) => {
    const entries = runs.get(customId) ?? [];
    const isThere = entries.some(({ state }) => state !== 'sent' && state !== 'returned');
    const isSentSince = entries.some(({ state, at }) => state === 'sent' && at > startedAt);
    const isTakenBack = entries.some(({ state, at }) => state === 'returned' && at === startedAt);
    return !isThere && !isSentSince && !isTakenBack;
  });
  return new Set(gone.map(({ customId }) => customId));
}

/** The treatment of unreadable lines: their runs are unconfirmed, or are run again. */
export type UnreadableChoice = 'unconfirmed' | 'run';

/** The runs, after the decision about lines that cannot be read. */
export function withUnreadable(sorted: SortedRuns, choice: UnreadableChoice): SortedRuns {
  const { unreadable, missing } = sorted;
  if (!unreadable || choice === 'run') return { ...sorted, unreadable: undefined };
  const isSuspect = ({ customId }: PlannedRun) => unreadable.isAny || unreadable.ids.has(customId);
  return {
    ...sorted,
    unreadable: undefined,
    missing: missing.filter((cell) => !isSuspect(cell)),
    unconfirmed: [...sorted.unconfirmed, ...missing.filter(isSuspect)],
  };
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

/** Where and how many lines cannot be read, and why that matters. @param name of the file */
export function unreadableText({ line, lines }: UnreadableRuns, name: string): string {
  return lines === 1
    ? l10n.t('Line {0} of “{1}” cannot be read. It may be a run that was paid.', line, name)
    : l10n.t(
        '{0} lines of “{1}” cannot be read, first: line {2}. They may be runs that were paid.',
        lines,
        name,
        line,
      );
}

/** Results of missing or unconfirmed runs that the store has of another results file. */
export interface ResultsElsewhere {
  /** Absolute path of that file. */
  readonly file: string;
  /** Renamed, moved or deleted: the experiment itself may have had that name. */
  readonly isGone: boolean;
  readonly ids: readonly string[];
}

/** The IDs that results of these runs may have. */
function possibleIds(runs: readonly PlannedRun[]): ReadonlySet<string> {
  return new Set(runs.flatMap(({ customId, earlierIds }) => [customId, ...(earlierIds?.() ?? [])]));
}

/**
 * Finds runs by their ID, in files of any name; those that are gone come first. Several may have one run. Of a run that
 * is unconfirmed here, only an outcome of that request or of a later one counts.
 */
export async function resultsElsewhere(
  store: Store,
  results: string,
  { missing, unconfirmed, known }: Pick<SortedRuns, 'missing' | 'unconfirmed' | 'known'>,
): Promise<readonly ResultsElsewhere[]> {
  await endOfGoneFiles(store, results);
  const sentAt = new Map(
    unconfirmed.map(({ customId }) => [
      customId,
      countingEntry(known.entries.runs.get(customId) ?? [])?.at ?? '',
    ]),
  );
  const open = possibleIds([...missing, ...unconfirmed]);
  const byFile = store.experimentResults.elsewhere(results, [...open]);
  const files = [...byFile].map(async ([file, found]) => {
    const ids = found.flatMap(({ customId, state, startedAt }) => {
      const at = sentAt.get(customId);
      return at === undefined || (state !== 'unconfirmed' && startedAt >= at) ? customId : [];
    });
    return { file, ids, isGone: await isGone(file) };
  });
  const used = (await Promise.all(files)).filter(({ ids }) => ids.length > 0);
  return used.sort((a, b) => Number(b.isGone) - Number(a.isGone));
}

/** Takes over results of another file, free of charge. */
export async function useResults(
  store: Store,
  results: string,
  { file, ids }: ResultsElsewhere,
): Promise<void> {
  await store.experimentResults.adopt(file, results, ids);
  await new ResultsWriter(store.experimentResults, results, () => undefined).flush();
  await restoreJudgements(store, results, ids);
}

/** Writes lost results into their file again, free of charge. */
export async function restoreResults(store: Store, results: string, lost: readonly string[]): Promise<void> {
  await store.experimentResults.writeAgain(results, lost);
  await new ResultsWriter(store.experimentResults, results, () => undefined).flush();
  await restoreJudgements(store, results, lost);
}

/** Writes people's judgements of these runs that the file no longer has. */
async function restoreJudgements(store: Store, results: string, ids: readonly string[]): Promise<void> {
  const kept = store.experimentResults.judgements(results, ids);
  if (kept.length === 0) return;
  const there = new Set(
    [...(await readKnownResults(results)).entries.judgements.values()].map(({ line }) =>
      JSON.stringify(line),
    ),
  );
  await appendLines(
    results,
    kept.filter((line) => !there.has(line)),
  );
}
