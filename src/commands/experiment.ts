import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { nothingSentText } from '../experiments/figures/drift';
import { driftFile } from '../experiments/figures/driftFile';
import { delimiterText, itemFaultText } from '../experiments/file/faultText';
import { type LoadedExperiment, loadExperiment } from '../experiments/file/load';
import type { Threshold } from '../experiments/gate/thresholds';
import { acceptedExperimentRuns } from '../experiments/plan/acceptedRuns';
import { expectedCosts } from '../experiments/plan/expectedCosts';
import { keepMedia, planRuns } from '../experiments/plan/experimentJobs';
import { experimentPorts } from '../experiments/plan/experimentPorts';
import { judgesRuns, type PlannedRun } from '../experiments/plan/plan';
import { planProblemPlace } from '../experiments/plan/planProblemPlace';
import { progressText } from '../experiments/plan/progressText';
import { isInShard, type Shard } from '../experiments/plan/runId';
import { sortRuns, underWayText } from '../experiments/plan/wantedRuns';
import type { MediaPorts } from '../experiments/results/mediaKeeper';
import { withRunsOfJudges } from '../experiments/results/recordedTable';
import { fetchMedium } from '../experiments/results/remoteMedia';
import { cannotWriteText, type ResultsFile, resultPlaces } from '../experiments/results/resultsFile';
import { partWarnings } from '../experiments/setup/comparedProblems';
import { expectedCostText } from '../runFiles/expectedCost';
import type { ServiceClient } from '../service/client';
import { unlessNotFound } from '../service/errors';
import { processNetwork } from '../service/network';
import { createTransport } from '../service/transport';
import { acceptedRuns, ofService } from './acceptedRuns';
import { checkedUpload } from './checkedUpload';
import { exitCodes } from './exitCodes';
import { countsOf, endExperiment } from './experimentEnd';
import { openDriftGate, openGate } from './experimentGate';
import { recordedFigures } from './figures';
import { readNamedText, realPlace } from './files';
import { followJob } from './followJob';
import { markedLines } from './ready';
import { runsToSend } from './runsToSend';
import type { Paid, PaidState } from './state';
import type { Terminal } from './terminal';

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

/** Most requests at once; the service's limits are kept below this. */
const CONCURRENCY = 8;

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
  const cells = loaded.plan.runs.filter(({ customId }) => !asked.shard || isInShard(customId, asked.shard));
  // Judges see the results of all shards: they judge once these are in one file.
  const judged = async (now: LoadedExperiment) =>
    asked.shard ? { ...now, judges: [] } : withRunsOfJudges(now, results);
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
    const before = await judged(loaded);
    const all = [...cells, ...judgesRuns(before.plan)];
    const accepted = acceptedRuns(
      acceptedExperimentRuns(state.store, ofService(client)),
      results,
      terminal,
      signal,
    );
    const wanted = await runsToSend(state, before, results, all, asked, accepted.ask, terminal);
    if (!wanted) return exitCodes.wrong;
    const order = { state, results, path, media };
    const paid =
      wanted.runs.length + wanted.underWay.length > 0
        ? await runAll({ ...order, ...wanted }, client, terminal, signal)
        : undefined;
    if (!paid && drift) terminal.print(nothingSentText(results));
    if (!paid && media) await keepMedia(state.store, results, idsOf(wanted.all), media);
    const after = await judged(loaded);
    const known = idsOf(all);
    const later = judgesRuns(after.plan).filter(({ customId }) => !known.has(customId));
    if (later.length > 0 && !signal.aborted) {
      const missingOnly = { ...asked, retryFailed: false, retryUnconfirmed: false };
      const next = await runsToSend(state, after, results, later, missingOnly, accepted.ask, terminal);
      if (next && next.runs.length + next.underWay.length > 0)
        await runAll({ ...order, ...next, ...(paid && { paid }) }, client, terminal, signal);
    }
    await accepted.wait();
    const planned = [...cells, ...judgesRuns(after.plan)];
    const sorted = await sortRuns(state.store, after, results, planned);
    const figures = await recordedFigures(loaded, results, { path, groupBy: asked.groupBy });
    const counts = countsOf(sorted, planned.length);
    return await endExperiment(asked, { loaded, figures, counts, gate, results, path, warned }, terminal);
  } finally {
    transport.close();
    await state.close();
  }
}

const idsOf = (runs: readonly PlannedRun[]): ReadonlySet<string> =>
  new Set(runs.map(({ customId }) => customId));

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
  const contractOf = (model: string) => unlessNotFound(client.getModel(model));
  const { parsed, problems, loaded } = await loadExperiment(path, text, contractOf);
  for (const line of markedLines(name, parsed, problems)) terminal.warn(line);
  if (!loaded) return undefined;
  if (loaded.delimiter !== undefined) terminal.print(`${name}: ${delimiterText(loaded.delimiter)}`);
  for (const fault of loaded.faults) terminal.warn(itemFaultText(fault));
  for (const problem of loaded.plan.problems)
    terminal.warn(`${planProblemPlace(problem, loaded.plan)}: ${problem.pointer}: ${problem.message}`);
  return loaded.faults.length + loaded.plan.problems.length > 0 ? undefined : loaded;
}

interface Order {
  readonly state: PaidState;
  readonly loaded: LoadedExperiment;
  readonly path: string;
  readonly results: string;
  readonly runs: readonly PlannedRun[];
  /** Of another process: their outcomes are waited for, and those that were not sent after all are sent. */
  readonly underWay: readonly PlannedRun[];
  readonly since: number;
  readonly known: ResultsFile;
  readonly media: MediaPorts | undefined;
  /** The expected cost was part of that of the runs before. */
  readonly paid?: Paid;
}

async function runAll(
  { state, loaded, path, media, paid, underWay, ...order }: Order,
  client: ServiceClient,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Paid> {
  const environment = { name: client.environment, baseUrl: client.baseUrl };
  const { contracts } = loaded;
  const costOf = (some: readonly PlannedRun[]) =>
    expectedCosts(some, loaded, client.baseUrl, state.estimates);
  const cost = costOf(order.runs);
  const isOfJudges = order.runs.every(({ judge }) => judge !== undefined);
  const text = expectedCostText(cost);
  if (underWay.length > 0) terminal.print(underWayText(underWay.length));
  if (order.runs.length > 0) terminal.print(isOfJudges ? l10n.t('Judges: {0}', text) : text);
  if (cost.unpriced.length > 0) terminal.warn(l10n.t('No published price: {0}.', cost.unpriced.join(', ')));
  const runs = [...order.runs, ...underWay];
  const payment = paid ?? (await state.pay(costOf(runs)));
  const ports = experimentPorts({
    environment,
    contracts,
    ...payment,
    uploadSource: (file) => checkedUpload(file),
    client: async () => client,
    concurrency: () => CONCURRENCY,
    timeoutMs: () => 0,
  });
  const name = basename(path);
  const { job, done, mediaKept } = await planRuns(state.store, {
    environment,
    file: path,
    name,
    loaded,
    ports,
    ...order,
    ...(media && { media }),
    runs,
    ...(payment.agent && { agent: payment.agent.mark }),
    cannotWrite: (error) => terminal.warn(cannotWriteText(order.results, error)),
  });
  await payment.agent?.noteWork(job.head.id);
  const stopShowing = followJob(job, (progress) => progressText(progress, 'en'), terminal, signal);
  job.start();
  await done.finally(stopShowing);
  await mediaKept();
  return payment;
}
