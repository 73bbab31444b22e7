import type { Environment } from '../../domain/environment';
import type { JsonObject } from '../../domain/json';
import type { Job } from '../../jobs/job';
import { discardJob, type InterruptedJob, interruptedJobs, planJob } from '../../jobs/openJob';
import type { Jobs } from '../../store/jobs';
import type { Store } from '../../store/store';
import type { LoadedExperiment } from '../file/load';
import { isGone } from '../files/door';
import { MediaKeeper, type MediaPorts } from '../results/mediaKeeper';
import { type ResultLine, readLine } from '../results/resultLine';
import {
  appendResults,
  cannotWriteText,
  FileReplaced,
  type ResultsFile,
  resultFilePlaces,
} from '../results/resultsFile';
import { ResultsWriter } from '../results/resultsWriter';
import { StopWatch } from '../stop/stopWatch';
import { Claims } from './claims';
import { type ExperimentHead, type ExperimentRun, experimentKind } from './experimentKind';
import { type ExperimentPorts, experimentWork } from './experimentWork';
import { experimentOutcomes, type RunPayload } from './outcomes';
import { gridRuns, type PlannedRun } from './plan';
import { itemSha256 } from './runId';

export type ExperimentJob = Job<ExperimentHead, ExperimentRun, RunPayload>;
export type InterruptedExperiment = InterruptedJob<ExperimentHead>;

/** Later ones in a file are no times: in ISO 8601 they have no order. */
const LATEST_TIME = Date.UTC(9999, 0);

/** The runs of experiments in a store. */
export function experimentJobs(store: Store): Jobs<ExperimentHead, ExperimentRun, RunPayload> {
  return store.jobs(experimentKind, experimentOutcomes(store.experimentResults));
}

export interface ExperimentOrder {
  readonly environment: Environment;
  /** Absolute path of the experiment. */
  readonly file: string;
  /** Absolute path of its results file. */
  readonly results: string;
  /** As the experiment is shown. */
  readonly name: string;
  readonly loaded: LoadedExperiment;
  /** The runs to perform, from the loaded plan. */
  readonly runs: readonly PlannedRun[];
  /** The store's count of results when those were read from which `runs` were chosen. */
  readonly since: number;
  /** The file with those results. */
  readonly known: ResultsFile;
  /** Missing in a terminal: each call confirms its own runs. */
  readonly consent?: ExperimentHead['consent'];
  readonly agent?: ExperimentHead['agent'];
  readonly ports: ExperimentPorts;
  /** Missing: media that results name by address are not kept. */
  readonly media?: MediaPorts;
  /** The job pauses, since its results cannot be written into their file; the store keeps them. */
  readonly cannotWrite: (error: unknown) => void;
}

/** A job that writes its results to a file. */
export interface RunningExperiment {
  readonly job: ExperimentJob;
  /** The job has ended, and the file contains its results; rejects when they cannot be written. */
  readonly done: Promise<void>;
  /** Files that results name by address are kept. It does not end before `done`, nor while it is asked whether they are. */
  readonly mediaKept: () => Promise<void>;
  /** IDs of all runs of the experiment when these were planned. */
  readonly grid: ReadonlySet<string>;
  /** Plans the runs that follow from its results, as judges; undefined: there are none, or they were not agreed to. */
  readonly next?: () => Promise<RunningExperiment | undefined>;
}

/**
 * Keeps the media that finished runs name by address, when there is no run to start.
 * @param customIds of the runs
 */
export async function keepMedia(
  { experimentResults }: Pick<Store, 'experimentResults'>,
  results: string,
  customIds: Iterable<string>,
  media: MediaPorts,
): Promise<void> {
  const writer = new ResultsWriter(experimentResults, results, () => undefined);
  const { folder } = resultFilePlaces(results);
  const keeper = new MediaKeeper(experimentResults, results, folder, media, () => undefined);
  keeper.add(customIds);
  await keeper.done;
  await writer.flush();
}

/** Plans the runs: they are on the disk when this resolves. Sending begins with the job's `start`. */
export async function planRuns(store: Store, order: ExperimentOrder): Promise<RunningExperiment> {
  const { environment, file, results, name, loaded, runs, since, known, ports, consent, agent } = order;
  const cannotWrite = (error: unknown) => {
    // Requests in flight are awaited; their results go elsewhere.
    if (error instanceof FileReplaced) return job.cancel();
    // A run from now on would be paid for without a place in a file: the user frees the disk first.
    if (job.state === 'running') order.cannotWrite(error);
    job.pause();
  };
  const writer = new ResultsWriter(store.experimentResults, results, cannotWrite, known);
  const { name: named, baseUrl } = environment;
  const { model } = plainCell(loaded)?.request ?? {};
  const head = {
    environment: named,
    baseUrl,
    name,
    file,
    results,
    since,
    ...(model !== undefined && { model }),
    ...(consent && { consent }),
    ...(agent && { agent }),
  };
  const { folder } = resultFilePlaces(results);
  const grid = new Set(gridRuns(loaded.plan).map(({ customId }) => customId));
  const keeper =
    order.media &&
    new MediaKeeper(store.experimentResults, results, folder, order.media, () => writer.poke());
  const watch = StopWatch.of(loaded, results);
  await watch?.read((await known.held()).results);
  // From now on a file under another name is another one. Problems are reported with the first run.
  await known.make().catch(() => undefined);
  let claims: Claims | undefined;
  const workOf = ({ id }: ExperimentHead) => {
    claims = new Claims(known, id);
    const recorded = (customIds: readonly string[]) => {
      writer.poke();
      keeper?.add(customIds);
      return watch?.follow(recordedLines(store, results, customIds)).catch(() => undefined);
    };
    const isEnded = (customId: string) => watch?.isEnded({ customId }) === true;
    const lastAt = (customId: string) =>
      (known.lines.runs.get(customId) ?? []).reduce((last, { at }) => {
        const time = Date.parse(at);
        return time > last && time < LATEST_TIME ? time : last;
      }, 0);
    const isElsewhere = (customId: string) => store.experimentResults.isElsewhere(results, customId, since);
    const parts = { claims, folder, cannotWrite, recorded, lastAt, isEnded, isElsewhere };
    return experimentWork(loaded, ports, parts);
  };
  const job = await planJob(
    experimentJobs(store),
    head,
    runs.map((run) => experimentRun(run, loaded)),
    workOf,
  );
  const written = async () => {
    await claims?.flush();
    const isSame = await writer.flush().then(
      () => known.continues(),
      (error: unknown) => {
        if (error instanceof FileReplaced) return false;
        throw error;
      },
    );
    if (isSame) return;
    const ids = job.items.map(({ customId }) => customId);
    throw new FileReplaced(results, await keepBeside(store, results, ids));
  };
  // Remains of earlier runs.
  keeper?.add(grid);
  const done = job.done.then(written, async (error: unknown) => {
    await written();
    throw error;
  });
  const mediaKept = async () => {
    await done;
    await keeper?.done;
    await writer.flush();
  };
  return { job, done, mediaKept, grid };
}

/**
 * Writes the results that a job has into a new file beside one that was replaced under it; the next start adds them to
 * that one.
 * @returns the new file's absolute path
 */
async function keepBeside(
  { experimentResults }: Store,
  results: string,
  customIds: readonly string[],
): Promise<string> {
  let beside = '';
  for (let n = 1; beside === '' || !(await isGone(beside)); n++)
    beside = results.replace(/(?:\.jsonl)?$/, `.kept-${n}.jsonl`);
  await experimentResults.writeAgain(results, customIds);
  await appendResults(beside, experimentResults.unwritten(results, customIds.length)).catch(
    (error: unknown) => {
      // Its folder may be gone with it.
      throw new Error(cannotWriteText(results, error), { cause: error });
    },
  );
  return beside;
}

/** The lines of outcomes, before they are in the file. */
function recordedLines(
  { experimentResults }: Store,
  results: string,
  customIds: readonly string[],
): readonly ResultLine[] {
  return customIds.flatMap((id) => {
    const { line: text } = experimentResults.recorded(results, id) ?? {};
    const entry = text === undefined ? undefined : readLine(JSON.parse(text) as JsonObject, text);
    return entry ? [entry.line] : [];
  });
}

/** A run with the experiment's own model. */
function plainCell({ plan }: LoadedExperiment): PlannedRun | undefined {
  return plan.runs.find(
    ({ serves: [place] }) => !Object.hasOwn(plan.variations[place!.variation]!, '/model'),
  );
}

function experimentRun(
  { customId, requestSha256, repeat, serves: [place], judge }: PlannedRun,
  { plan }: LoadedExperiment,
): ExperimentRun {
  const item = plan.items[place!.item]!;
  return {
    customId,
    requestSha256,
    repeat,
    variation: plan.variations[place!.variation]!,
    item: item.name,
    itemSha256: itemSha256(item),
    ...(judge !== undefined && { judge }),
  };
}

/** Runs of a closed or killed window, and those of a window that may still live. */
export function interruptedExperiments(store: Store): {
  readonly interrupted: readonly InterruptedExperiment[];
  readonly held: number;
} {
  return interruptedJobs(experimentJobs(store));
}

/**
 * Ends the experiment jobs of closed windows: requests in flight are unconfirmed, and recorded as such. Missing runs
 * are planned again from the file. So are jobs of other files with one of these runs in flight: the experiment may have
 * had another name.
 */
export async function endInterrupted(
  store: Store,
  results: string,
  customIds: ReadonlySet<string>,
): Promise<void> {
  const jobs = experimentJobs(store);
  const flying = [...store.experimentResults.inFlight(results)].filter(([id]) => customIds.has(id));
  const ours = new Set(flying.map(([, { job }]) => job));
  for (const { head } of interruptedJobs(jobs).interrupted)
    if (head.results === results || ours.has(head.id)) await discardJob(jobs, head);
}

/** Ends the interrupted runs of one job. False: another window has resumed it. */
export function discardExperiment(store: Store, { head }: InterruptedExperiment): Promise<boolean> {
  return discardJob(experimentJobs(store), head);
}

/** Ids of the runs of an interrupted job that have no outcome; its window may still be giving back some that had not left. */
export async function remainingRuns(
  store: Store,
  { head }: InterruptedExperiment,
): Promise<ReadonlySet<string>> {
  const runs = await experimentJobs(store).allItems(head.id);
  const left = runs.filter(({ state }) => state === 'planned' || state === 'ready' || state === 'inFlight');
  return new Set(left.map(({ customId }) => customId));
}
