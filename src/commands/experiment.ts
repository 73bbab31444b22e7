import { nothingSentText } from '../experiments/figures/drift';
import { driftFile } from '../experiments/figures/driftFile';
import { delimiterText } from '../experiments/file/faultText';
import type { LoadedExperiment } from '../experiments/file/load';
import { isThere } from '../experiments/files/door';
import type { Threshold } from '../experiments/gate/thresholds';
import { acceptedExperimentRuns } from '../experiments/plan/acceptedRuns';
import { keepMedia, type RunningExperiment } from '../experiments/plan/experimentJobs';
import { ExperimentStart } from '../experiments/plan/experimentStart';
import type { PlannedRun } from '../experiments/plan/plan';
import { progressText } from '../experiments/plan/progressText';
import { isInShard, type Shard } from '../experiments/plan/runId';
import { decidedRuns, sortRuns } from '../experiments/plan/wantedRuns';
import type { MediaPorts } from '../experiments/results/mediaKeeper';
import { withRunsOfJudges } from '../experiments/results/recordedTable';
import { fetchMedium } from '../experiments/results/remoteMedia';
import { resultPlaces, UnreadableLines } from '../experiments/results/resultsFile';
import { loadForRuns } from '../experiments/setup/loadForRuns';
import type { ServiceClient } from '../service/client';
import { processNetwork } from '../service/network';
import { createTransport } from '../service/transport';
import { acceptedRuns, ofService } from './acceptedRuns';
import { countsOf, type EndedExperiment } from './experimentEnd';
import { checkGate, openDriftGate, openGate } from './experimentGate';
import { recordedFigures } from './figures';
import { readNamedText, realPlace } from './files';
import { followJob } from './followJob';
import { contractOf, markedLines } from './ready';
import type { Show } from './show';
import { startPorts } from './startPorts';
import type { PaidState } from './state';
import { UsageError } from './usageError';

/** An experiment, and the wishes of who starts it. */
export interface ExperimentOrder {
  readonly file: string;
  /** A column of the inputs, for the values of which there are figures, too; "label": the expected labels. */
  readonly groupBy?: string | undefined;
  readonly shard?: Shard | undefined;
  readonly results?: string | undefined;
  readonly retryFailed?: boolean;
  /** Repeat runs that may have been charged before. */
  readonly retryUnconfirmed?: boolean;
  /** Repeat runs that the end of the results file has lost. */
  readonly runDeleted?: boolean;
  /** Keep the files that results name by address. */
  readonly fetchMedia?: boolean;
  /** Thresholds that every column must reach, besides those of the file. */
  readonly thresholds?: readonly Threshold[];
  /** A results file, or a commit that has one: no column may be worse than it was there. */
  readonly notWorseThan?: string | undefined;
  /** A column without earlier results does not fail that. */
  readonly allowNewColumns?: boolean;
  /** Send again this number of finished inputs of each column, and compare; missing: run the experiment. */
  readonly checkDrift?: number | 'enough' | undefined;
}

/**
 * Runs the runs of an experiment that have no result. Killed at any point, the next call continues: requests in
 * flight are unconfirmed, and never sent again by themselves.
 * @param open opens the state that outlives the call
 * @returns undefined where it cannot be run, and that was shown
 */
export async function experiment(
  asked: ExperimentOrder,
  client: ServiceClient,
  open: () => Promise<PaidState>,
  show: Show,
  signal: AbortSignal,
): Promise<EndedExperiment | undefined> {
  const path = await realPlace(asked.file);
  const ownFile = () =>
    asked.checkDrift === undefined ? shardFile(path, asked.shard) : driftFile(path, new Date());
  const results = asked.results === undefined ? ownFile() : await realPlace(asked.results);
  const ready = await openExperiment(asked.file, path, results, client, show);
  if (!ready) return undefined;
  const drift =
    asked.checkDrift === undefined
      ? undefined
      : await openDriftGate(ready.loaded, path, asked.checkDrift === 'enough' ? undefined : asked.checkDrift);
  // Runs of a drift check are compared with those before, not judged.
  const loaded = drift ? { ...drift.loaded, judges: [] } : ready.loaded;
  const state = await open();
  // These requests have no key: the client does not send them.
  const transport = createTransport(processNetwork(client.baseUrl));
  const media: MediaPorts | undefined = asked.fetchMedia
    ? {
        mayKeep: async () => true,
        fetch: (address) => fetchMedium(address, client.baseUrl, transport, signal),
        signal,
      }
    : undefined;
  try {
    const gate = drift?.gate ?? (await openGate(asked, loaded, path));
    for (const text of ready.doubts) show.warn(text);
    const accepted = acceptedRuns(
      acceptedExperimentRuns(state.store, ofService(client)),
      results,
      show,
      signal,
    );
    // Judges see the results of all shards: they judge once these are in one file.
    const order = { store: state.store, loaded: asked.shard ? { ...loaded, judges: [] } : loaded, results };
    const isOurs = ({ customId }: PlannedRun) => !asked.shard || isInShard(customId, asked.shard);
    // Who deletes the results of a check wants its inputs sent again, as the check says.
    const isDeleted = drift !== undefined && !(await isThere(results));
    const usesKept = !asked.runDeleted && !isDeleted;
    const call = { asked, client, state, results, path, media, accepted: accepted.ask, usesKept, show };
    const { ports, all } = startPorts(call);
    const start = new ExperimentStart({ ...order, isOurs }, ports);
    const isSent = await performed(await start.runs(), show, signal);
    if (!isSent && drift) show.print(nothingSentText(results));
    if (!isSent && media) await keepMedia(state.store, results, all, media);
    if (!signal.aborted) await performed(await start.judges(), show, signal);
    const hasWaited = await accepted.wait();
    const after = await withRunsOfJudges(order.loaded, results);
    const planned = after.plan.runs.filter(isOurs);
    // Their outcomes may be those of another file, as before a renaming.
    if (hasWaited) await decidedRuns(state.store, after, results, ports.runs, planned);
    const sorted = await sortRuns(state.store, after, results, planned);
    const figures = await recordedFigures(loaded, results, { path, groupBy: asked.groupBy });
    return {
      loaded,
      figures,
      counts: countsOf(sorted, planned.length),
      gate: await checkGate(gate, figures),
      results,
      path,
      warned: ready.doubts,
    };
  } catch (error) {
    throw error instanceof UnreadableLines ? new UsageError(error.message) : error;
  } finally {
    transport.close();
    await state.close();
  }
}

/** Performs planned runs to their end. False: there are none. */
async function performed(
  running: RunningExperiment | undefined,
  show: Show,
  signal: AbortSignal,
): Promise<boolean> {
  if (!running) return false;
  const { job, done, mediaKept } = running;
  const stopShowing = followJob(job, (progress) => progressText(progress, 'en'), show, signal);
  job.start();
  await done.finally(stopShowing);
  await mediaKept();
  return true;
}

/** A shard has a file of its own, so that shards on one machine do not wait for one another. */
function shardFile(experimentPath: string, shard: Shard | undefined): string {
  const { file } = resultPlaces(experimentPath);
  return shard ? file.replace(/\.jsonl$/, `.${shard.number}-of-${shard.of}.jsonl`) : file;
}

/**
 * An experiment that can be run. Undefined: something is wrong, and was shown.
 * @param name in the call
 * @param path absolute path of the experiment
 * @param results absolute path of its results
 * @throws UsageError when there is no such file
 */
export async function openExperiment(
  name: string,
  path: string,
  results: string,
  client: ServiceClient,
  show: Show,
): Promise<{ readonly loaded: LoadedExperiment; readonly doubts: readonly string[] } | undefined> {
  const text = await readNamedText(name);
  const { parsed, problems, loaded, blocked, doubts } = await loadForRuns(path, text, results, (model) =>
    contractOf(model, client, show.warn),
  );
  for (const line of markedLines(name, parsed, problems)) show.warn(line);
  if (loaded?.delimiter !== undefined) show.print(`${name}: ${delimiterText(loaded.delimiter)}`);
  for (const line of blocked) show.warn(line);
  return loaded && blocked.length === 0 ? { loaded, doubts } : undefined;
}
