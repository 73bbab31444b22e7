import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { experiment } from '../commands/experiment';
import { endLines, isWhole } from '../commands/experimentEnd';
import { type NamedRunFile, readNamed, readNamedText } from '../commands/files';
import { indexedLines, indexFiles } from '../commands/indexFiles';
import { checkFiles, problemLines } from '../commands/ready';
import { hitLines, search } from '../commands/search';
import { showLines } from '../commands/show';
import type { PaidState } from '../commands/state';
import { UsageError } from '../commands/usageError';
import type { PaidTool } from '../domain/agentGrant';
import type { Environment } from '../domain/environment';
import { localMedia } from '../domain/media';
import { modePrice } from '../domain/model';
import type { RunState } from '../domain/run';
import { readExperiment } from '../experiments/file/read';
import { fileOfHit, hitPlacesIn } from '../runFiles/hitFile';
import { environmentIn, readRunFile } from '../runFiles/read';
import type { AgentPurse } from '../runs/budget/agentPurse';
import { highestCost } from '../runs/estimates/estimate';
import type { PerformOptions } from '../runs/runs';
import type { ServiceClient } from '../service/client';
import type { CallEnd } from '../store/agentGrants';
import { cleanReport, failureReport, type Report } from './answer';
import { allowedPath } from './files';
import type { AgentHouse } from './house';
import { type Lines, reportText } from './lines';
import { EarlierCall, NeedsApproval, Payment } from './payment';
import { reportOn } from './readWork';
import { runReport } from './runReport';
import { type AgentSession, environmentOf } from './session';
import type { ToolInput } from './toolInputs';

/** Hits of a search that an agent sees as pictures. */
const SHOWN_HITS = 5;

interface Acting {
  readonly handle: string;
  readonly environment: Environment;
  readonly client: ServiceClient;
  readonly payment: Payment;
  readonly lines: Lines;
  /** Aborted when no further run may be sent. */
  readonly signal: AbortSignal;
}

interface Acted {
  readonly report: Report;
  readonly outcome: CallEnd['outcome'];
}

interface PaidInput {
  readonly idempotency_key: string;
  readonly wait_seconds?: number | undefined;
  readonly environment?: string | undefined;
  readonly pictures?: boolean | undefined;
}

/**
 * Starts the work of a paid tool, and waits for it a little.
 * @param act begins the payment once its cost is known, before it sends a request
 */
async function paidWork(
  session: AgentSession,
  tool: PaidTool,
  purpose: string,
  {
    idempotency_key: idempotencyKey,
    wait_seconds: seconds,
    environment: asked,
    pictures,
    ...rest
  }: PaidInput,
  waiting: AbortSignal,
  act: (acting: Acting) => Promise<Acted>,
): Promise<Report> {
  const { house, works } = session;
  const environment = await environmentOf(house, asked);
  const client = await house.client(environment);
  const handle = randomUUID();
  const order = { handle, environment, tool, idempotencyKey, request: sortedJson(rest), purpose };
  works.start(handle, async (lines, stop) => {
    const stopping = new AbortController();
    stop.addEventListener('abort', () => stopping.abort());
    const payment = new Payment(session, order, stopping);
    const acting = { handle, environment, client, payment, lines, signal: stopping.signal };
    const { report, outcome } = await act(acting).catch(
      (error: unknown): Acted => ({
        report: failedWork(error, lines, house.locale),
        outcome: stopping.signal.aborted ? 'stopped' : 'failed',
      }),
    );
    await payment.purse?.end(outcome).catch(() => undefined);
    const redact = await house.redaction(environment);
    return cleanReport({ ...report, ...(payment.purse && { handle }) }, redact);
  });
  const options = {
    signal: waiting,
    seconds,
    pictures,
  };
  const report = await reportOn(session, handle, options);
  return report.earlier === undefined ? report : reportOn(session, report.earlier, options);
}

function failedWork(error: unknown, lines: Lines, locale?: string): Report {
  if (error instanceof EarlierCall) return { notes: [], earlier: error.call.id };
  const failed = failureReport(error, locale);
  const data = [lines.text, failed.data].filter(Boolean).join('\n');
  if (error instanceof NeedsApproval) return { notes: [error.message], isError: true };
  return { ...failed, data };
}

export function runModel(
  session: AgentSession,
  input: ToolInput<'run_model'>,
  waiting: AbortSignal,
): Promise<Report> {
  const purpose = l10n.t('a run of {0}', input.model ?? input.file ?? '');
  return paidWork(session, 'run_model', purpose, input, waiting, async (acting) => {
    const { handle, environment, client, payment, lines, signal } = acting;
    const { house, works } = session;
    const named = await runFileOf(session, input, environment);
    const checked = await checkFiles([named], client);
    // Only a file has lines that its agent knows.
    const problems = checked.flatMap((one) =>
      one.problems.map(({ pointer, message }) => `${pointer}: ${message}`),
    );
    for (const line of input.file === undefined ? problems : problemLines(checked)) lines.warn(line);
    const ready = checked[0]?.ready;
    if (!ready) return { report: { notes: [], data: lines.text, isError: true }, outcome: 'failed' };
    const agent = await payment.begin(highestCost((await house.estimates()).of(ready.estimateOf)));
    const runs = await house.runs();
    const { contract, draft, files } = ready;
    const finished = await runs.perform(
      { environment, contract, draft, files, agent },
      sendingOptions(agent, acting),
    );
    const save = (name: string, bytes: Uint8Array) => works.saveFile(`${handle}-${name}`, bytes);
    const report = await runReport(ready, finished, { handle, house, environment, save, signal });
    return { report, outcome: callOutcome(finished.record.state) };
  });
}

/** A run that was sent is waited for, since it may be charged: stopped, it only does not leave any more. */
function sendingOptions(agent: AgentPurse, { lines, signal }: Acting): PerformOptions {
  const stop = new AbortController();
  let hasLeft = false;
  signal.addEventListener('abort', () => hasLeft || stop.abort());
  return {
    signal: stop.signal,
    onStep: ({ step }) => {
      hasLeft = step === 'sending' || step === 'running' || step === 'reading';
      lines.progress(step);
    },
    onRecorded: (id) => void agent.noteWork(id).catch(() => undefined),
  };
}

/** The run file that is named, or the arguments as one. */
async function runFileOf(
  { house }: AgentSession,
  { file, model, mode, scope, input, params }: ToolInput<'run_model'>,
  environment: Environment,
): Promise<NamedRunFile> {
  if ((file === undefined) === (model === undefined))
    throw new UsageError(l10n.t('Name a run file or a model, one of them.'));
  const folders = await house.folders();
  if (file === undefined) {
    const root = folders[0] ?? house.reports;
    const text = JSON.stringify({ model, mode, scope, input: input ?? {}, params });
    return { name: 'run_model', path: join(root, 'run_model.run.json'), root, file: readRunFile(text) };
  }
  const { path, root } = await allowedPath(file, folders);
  const named = await readNamed(path, root);
  checkNamed(house, environmentIn(named.file), environment);
  return named;
}

/** @param named by a file. @throws UsageError for another environment than that of the call */
function checkNamed(house: AgentHouse, named: string | undefined, { name }: Environment): void {
  if (named !== undefined && named !== name && !house.ignoresNames)
    throw new UsageError(l10n.t('The file names another environment; this call is for “{0}”.', name));
}

export function searchScope(
  session: AgentSession,
  input: ToolInput<'search_scope'>,
  waiting: AbortSignal,
): Promise<Report> {
  const { file, scope, model } = input;
  const purpose = l10n.t('a search with {0}', model);
  return paidWork(session, 'search_scope', purpose, input, waiting, async (acting) => {
    const { client, payment, lines, signal } = acting;
    const { house } = session;
    const { path } = await allowedPath(file, await house.folders());
    const searched = await search(
      { file: path, scope, model },
      client,
      async (order) => {
        const { contract, draft } = order;
        const expected = (await house.estimates()).of({
          baseUrl: client.baseUrl,
          model: draft.model,
          mode: draft.mode,
          items: Math.max(1, localMedia(draft.input).length),
          price: modePrice(contract, draft.mode),
        });
        const agent = await payment.begin(highestCost(expected));
        const runs = await house.runs();
        return runs.perform({ ...order, agent }, sendingOptions(agent, acting));
      },
      lines,
      signal,
    );
    const places = hitPlacesIn(await house.folders());
    const hits = (searched.hits ?? []).slice(0, SHOWN_HITS);
    const files = await Promise.all(hits.map(({ id }) => fileOfHit(id, places)));
    const pictures = files.flatMap((uri) => (uri === undefined ? [] : fileURLToPath(uri)));
    const report = { notes: [], data: reportText(hitLines(searched)), pictures, isError: !searched.hits };
    return { report, outcome: callOutcome(searched.record.state) };
  });
}

export function indexPaths(
  session: AgentSession,
  input: ToolInput<'index_files'>,
  waiting: AbortSignal,
): Promise<Report> {
  const { paths, scope, model, retry_failed: retryFailed = false } = input;
  const purpose = l10n.t('indexing with {0}', model);
  return paidWork(session, 'index_files', purpose, input, waiting, async (acting) => {
    const { client, lines, signal } = acting;
    const folders = await session.house.folders();
    const allowed = [];
    for (const path of paths) allowed.push(await allowedPath(path, folders));
    const order = {
      folder: allowed[0]!.root,
      paths: allowed.map(({ path }) => path),
      scope,
      model,
      retryFailed,
    };
    const indexed = await indexFiles(order, client, paidState(session, acting), lines, signal);
    const { outcomes, notes } = indexedLines(indexed);
    for (const line of [...outcomes, ...notes]) lines.print(line);
    return jobEnd(indexed.left + indexed.unconfirmed === 0, acting);
  });
}

export function runExperiment(
  session: AgentSession,
  input: ToolInput<'run_experiment'>,
  waiting: AbortSignal,
): Promise<Report> {
  const { file, retry_failed: retryFailed = false } = input;
  const purpose = l10n.t('an experiment');
  return paidWork(session, 'run_experiment', purpose, input, waiting, async (acting) => {
    const { client, environment, lines, signal } = acting;
    const { path } = await allowedPath(file, await session.house.folders());
    const read = readExperiment(await readNamedText(path)).experiment;
    checkNamed(session.house, read?.environment, environment);
    const order = { file: path, retryFailed };
    const ended = await experiment(order, client, paidState(session, acting), lines, signal);
    if (ended) showLines(endLines(ended), lines);
    return jobEnd(ended !== undefined && isWhole(ended.counts), acting);
  });
}

/** The state of a job of an agent: its runs are paid from the agent's call. */
function paidState({ house }: AgentSession, { payment }: Acting): () => Promise<PaidState> {
  return async () => ({
    store: await house.store(),
    estimates: await house.estimates(),
    pay: (cost) => payment.pay(cost),
    close: async () => undefined,
  });
}

function jobEnd(isDone: boolean, { lines, signal }: Acting): Acted {
  return {
    report: { notes: [], data: lines.text, isError: !isDone },
    outcome: signal.aborted ? 'stopped' : isDone ? 'finished' : 'failed',
  };
}

/** How a call ends by its run. */
export function callOutcome(state: RunState): CallEnd['outcome'] {
  switch (state) {
    case 'finished':
    case 'accepted':
      return 'finished';
    case 'unknown':
    case 'unclear':
    case 'running':
      return 'unconfirmed';
    default:
      return 'failed';
  }
}

/** The same text for the same arguments in any order. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
