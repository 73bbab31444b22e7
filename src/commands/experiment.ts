import { nothingSentText } from '../experiments/figures/drift';
import { driftFile } from '../experiments/figures/driftFile';
import { delimiterText } from '../experiments/file/faultText';
import { type LoadedExperiment, loadExperiment } from '../experiments/file/load';
import { isThere } from '../experiments/files/door';
import type { Threshold } from '../experiments/gate/thresholds';
import { acceptedExperimentRuns } from '../experiments/plan/acceptedRuns';
import { keepMedia, type RunningExperiment } from '../experiments/plan/experimentJobs';
import { ExperimentStart } from '../experiments/plan/experimentStart';
import type { PlannedRun } from '../experiments/plan/plan';
import { blockedTexts } from '../experiments/plan/planProblemPlace';
import { progressText } from '../experiments/plan/progressText';
import { isInShard, type Shard } from '../experiments/plan/runId';
import { decidedRuns, sortRuns } from '../experiments/plan/wantedRuns';
import type { MediaPorts } from '../experiments/results/mediaKeeper';
import { withRunsOfJudges } from '../experiments/results/recordedTable';
import { fetchMedium } from '../experiments/results/remoteMedia';
import { resultPlaces, UnreadableLines } from '../experiments/results/resultsFile';
import { partWarnings } from '../experiments/setup/comparedParts';
import type { ServiceClient } from '../service/client';
import { unlessNotFound } from '../service/errors';
import { processNetwork } from '../service/network';
import { createTransport } from '../service/transport';
import { acceptedRuns, ofService } from './acceptedRuns';
import { exitCodes } from './exitCodes';
import { countsOf, endExperiment } from './experimentEnd';
import { openDriftGate, openGate } from './experimentGate';
import { recordedFigures } from './figures';
import { readNamedText, realPlace } from './files';
import { followJob } from './followJob';
import { contractOf, markedLines } from './ready';
import { startPorts } from './startPorts';
import type { PaidState } from './state';
import type { Terminal } from './terminal';
import { UsageError } from './usageError';

export interface ExperimentCall {
  readonly file: string;
  /** Send nothing: figures, gate and reports of the recorded results. */
  readonly figuresOnly: boolean;
  /** A column of the inputs, for the values of which there are figures, too; "label": the expected labels. */
  readonly groupBy?: string | undefined;
  readonly shard: Shard | undefined;
  readonly results: string | undefined;
  readonly retryFailed: boolean;
  /** Repeat runs that may have been charged before. */
  readonly retryUnconfirmed: boolean;
  /** Count runs that may have been charged as failed. */
  readonly acceptUnconfirmed: boolean;
  /** Repeat runs that the end of the results file has lost. */
  readonly runDeleted: boolean;
  /** Keep the files that results name by address. */
  readonly fetchMedia: boolean;
  /** Thresholds that every column must reach, besides those of the file. */
  readonly thresholds: readonly Threshold[];
  /** A results file, or a commit that has one: no column may be worse than it was there. */
  readonly notWorseThan: string | undefined;
  /** A column without earlier results does not fail that. */
  readonly allowNewColumns: boolean;
  /** Send again this number of finished inputs of each column, and compare; missing: run the experiment. */
  readonly checkDrift: number | 'enough' | undefined;
  /** Files to write reports to. */
  readonly junit: string | undefined;
  readonly json: string | undefined;
  /** Its name ends in .html or .md. */
  readonly report: string | undefined;
}

/**
 * Runs the runs of an experiment that have no result. Killed at any point, the next call continues: requests in
 * flight are unconfirmed, and never sent again by themselves.
 * @param open opens the state that outlives the call
 * @returns the exit code
 */
export async function experiment(
  asked: ExperimentCall,
  client: ServiceClient,
  open: () => Promise<PaidState>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const path = await realPlace(asked.file);
  const whole = await loadNamed(asked.file, path, client, terminal);
  if (!whole) return exitCodes.wrong;
  const drift =
    asked.checkDrift === undefined
      ? undefined
      : await openDriftGate(whole, path, asked.checkDrift === 'enough' ? undefined : asked.checkDrift);
  // Runs of a drift check are compared with those before, not judged.
  const loaded = drift ? { ...drift.loaded, judges: [] } : whole;
  const ownFile = () => (drift ? driftFile(path, new Date()) : shardFile(path, asked.shard));
  const results = asked.results === undefined ? ownFile() : await realPlace(asked.results);
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
    const warned = await partWarnings(loaded, results);
    for (const text of warned) terminal.warn(text);
    const accepted = acceptedRuns(
      acceptedExperimentRuns(state.store, ofService(client)),
      results,
      terminal,
      signal,
    );
    // Judges see the results of all shards: they judge once these are in one file.
    const order = { store: state.store, loaded: asked.shard ? { ...loaded, judges: [] } : loaded, results };
    const isOurs = ({ customId }: PlannedRun) => !asked.shard || isInShard(customId, asked.shard);
    // Who deletes the results of a check wants its inputs sent again, as the check says.
    const isDeleted = drift !== undefined && !(await isThere(results));
    const usesKept = !asked.runDeleted && !isDeleted;
    const call = { asked, client, state, results, path, media, accepted: accepted.ask, usesKept, terminal };
    const { ports, all } = startPorts(call);
    const start = new ExperimentStart({ ...order, isOurs }, ports);
    const isSent = await performed(await start.runs(), terminal, signal);
    if (!isSent && drift) terminal.print(nothingSentText(results));
    if (!isSent && media) await keepMedia(state.store, results, all, media);
    if (!signal.aborted) await performed(await start.judges(), terminal, signal);
    const hasWaited = await accepted.wait();
    const after = await withRunsOfJudges(order.loaded, results);
    const planned = after.plan.runs.filter(isOurs);
    // Their outcomes may be those of another file, as before a renaming.
    if (hasWaited) await decidedRuns(state.store, after, results, ports.runs, planned);
    const sorted = await sortRuns(state.store, after, results, planned);
    const figures = await recordedFigures(loaded, results, { path, groupBy: asked.groupBy });
    const counts = countsOf(sorted, planned.length);
    return await endExperiment(asked, { loaded, figures, counts, gate, results, path, warned }, terminal);
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
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  if (!running) return false;
  const { job, done, mediaKept } = running;
  const stopShowing = followJob(job, (progress) => progressText(progress, 'en'), terminal, signal);
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

/** An experiment. Undefined: something is wrong, and was printed. @throws UsageError when there is no such file */
export async function loadNamed(
  name: string,
  path: string,
  client: ServiceClient,
  terminal: Terminal,
): Promise<LoadedExperiment | undefined> {
  const text = await readNamedText(name);
  const { parsed, problems, loaded } = await loadExperiment(path, text, (model) =>
    unlessNotFound(contractOf(model, client, terminal.warn)),
  );
  for (const line of markedLines(name, parsed, problems)) terminal.warn(line);
  if (!loaded) return undefined;
  if (loaded.delimiter !== undefined) terminal.print(`${name}: ${delimiterText(loaded.delimiter)}`);
  const blocked = blockedTexts(loaded);
  for (const text of blocked) terminal.warn(text);
  return blocked.length > 0 ? undefined : loaded;
}
