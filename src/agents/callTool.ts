import * as l10n from '@vscode/l10n';
import en from 'zod/v4/locales/en.js';
import { descriptionOf } from '../commands/describe';
import { openExperiment } from '../commands/experiment';
import { figureLines, recordedFigures } from '../commands/figures';
import { listModels, modelLines } from '../commands/models';
import { table } from '../commands/table';
import { UsageError } from '../commands/usageError';
import type { JsonObject } from '../domain/json';
import { isObject } from '../domain/value';
import { costOfRuns, expectedCosts } from '../experiments/plan/expectedCosts';
import { sortRuns } from '../experiments/plan/wantedRuns';
import { resultPlaces } from '../experiments/results/resultsFile';
import { expectedCostText } from '../runFiles/expectedCost';
import { answerOf, cleanReport, failureReport, type Report, type ToolAnswer } from './answer';
import { allowedPath } from './files';
import { collectLines, reportText } from './lines';
import { indexPaths, runExperiment, runModel, searchScope } from './paidTools';
import { readWork, stopWork } from './readWork';
import { type AgentSession, environmentOf } from './session';
import { type ToolInput, toolInputs } from './toolInputs';
import type { ToolName } from './toolNames';

async function findModels(
  { house }: AgentSession,
  { text = '', environment }: ToolInput<'find_models'>,
): Promise<Report> {
  const client = await house.client(await environmentOf(house, environment));
  const { models, notes, isUnderstood } = await listModels(text, client);
  const none = isUnderstood && models.length === 0 ? [l10n.t('No model matches.')] : [];
  return { notes: [], data: reportText([...modelLines(models), ...none, ...notes]) };
}

async function describeModel(
  { house }: AgentSession,
  { model, environment }: ToolInput<'describe_model'>,
): Promise<Report> {
  const client = await house.client(await environmentOf(house, environment));
  return { notes: [], data: reportText(descriptionOf(await client.getModel(model))) };
}

async function estimateCost(
  { house }: AgentSession,
  { environment, experiment, model, mode = 'execute', items = 1, runs = 1 }: ToolInput<'estimate_cost'>,
): Promise<Report> {
  if ((experiment === undefined) === (model === undefined))
    throw new UsageError(l10n.t('Name a model or an experiment, one of them.'));
  const { baseUrl, ...place } = await environmentOf(house, environment);
  const client = await house.client({ baseUrl, ...place });
  const estimates = await house.estimates();
  if (model !== undefined) {
    const contract = await client.getModel(model);
    const alike = [{ model: contract.slug, mode, media: items, runs }];
    const cost = costOfRuns(alike, new Map([[contract.slug, contract]]), client.baseUrl, estimates);
    return { notes: [], data: expectedCostText(cost, house.locale) };
  }
  const { path } = await allowedPath(experiment!, await house.folders());
  const lines = collectLines();
  const { file } = resultPlaces(path);
  const ready = await openExperiment(path, path, file, client, lines);
  if (!ready) return { notes: [], data: lines.text, isError: true };
  const { missing } = await sortRuns(await house.store(), ready.loaded, file);
  const cost = expectedCosts(missing, ready.loaded, client.baseUrl, estimates);
  lines.print(expectedCostText(cost, house.locale));
  if (cost.unpriced.length > 0) lines.warn(l10n.t('No published price: {0}.', cost.unpriced.join(', ')));
  return { notes: [], data: lines.text };
}

async function listScopes(
  { house }: AgentSession,
  { environment }: ToolInput<'list_scopes'>,
): Promise<Report> {
  const { baseUrl } = await environmentOf(house, environment);
  const summaries = (await house.store()).datasets.summaries(baseUrl);
  if (summaries.length === 0) return { notes: [l10n.t('No files were indexed from this computer.')] };
  const rows = summaries.map(({ scope, model, counts }) => [
    scope,
    model,
    l10n.t('{0} indexed', counts.indexed),
    counts.failed > 0 ? l10n.t('{0} failed', counts.failed) : '',
    counts.unknown > 0 ? l10n.t('{0} unconfirmed', counts.unknown) : '',
  ]);
  return { notes: [], data: table(rows).join('\n') };
}

/** The figures of an experiment's results. */
async function experimentFigures(
  { house }: AgentSession,
  { experiment, environment }: ToolInput<'read_results'>,
): Promise<Report> {
  const client = await house.client(await environmentOf(house, environment));
  const { path } = await allowedPath(experiment ?? '', await house.folders());
  const lines = collectLines();
  const { file } = resultPlaces(path);
  const ready = await openExperiment(path, path, file, client, lines);
  if (!ready) return { notes: [], data: lines.text, isError: true };
  for (const line of figureLines(await recordedFigures(ready.loaded, file))) lines.print(line);
  lines.print(l10n.t('Results: {0}', file));
  return { notes: [], data: lines.text };
}

const MOST_PROBLEMS = 5;
/** Levels of arguments: a request needs few. */
const MOST_LEVELS = 60;

/** In the words of zod: zod/mini has none of its own. */
const { localeError } = en();

type Tools = {
  readonly [Name in ToolName]: (
    session: AgentSession,
    input: ToolInput<Name>,
    signal: AbortSignal,
  ) => Promise<Report>;
};

const tools: Tools = {
  find_models: findModels,
  describe_model: describeModel,
  estimate_cost: estimateCost,
  list_scopes: listScopes,
  read_results: (session, input, signal) =>
    input.handle === undefined && input.experiment !== undefined
      ? experimentFigures(session, input)
      : readWork(session, input, signal),
  run_model: runModel,
  search_scope: searchScope,
  index_files: indexPaths,
  run_experiment: runExperiment,
  stop_work: stopWork,
};

/**
 * One call of a tool, from outside: every client's calls come here. Never rejects.
 * @param signal aborted when the client no longer waits; paid work continues
 */
export async function callTool(
  session: AgentSession,
  name: unknown,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  let report: Report;
  try {
    report = await reportOf(session, name, input, signal);
  } catch (error) {
    report = failureReport(error, session.house.locale);
  }
  const { works } = session;
  const from = name === 'read_results' && isObject(input) ? input.from : undefined;
  return answerOf(cleanReport(report, await redactionOf(session)), {
    ...(typeof from === 'number' && { from }),
    save: (text) => works.saveText(text),
  });
}

async function reportOf(
  session: AgentSession,
  name: unknown,
  input: unknown,
  signal: AbortSignal,
): Promise<Report> {
  if (!isToolName(name)) return failed(l10n.t('There is no tool of this name.'));
  if (!isPlainData(input)) return failed(l10n.t('The arguments are not an object of plain JSON.'));
  const parsed = toolInputs[name].safeParse(input, { error: localeError });
  if (!parsed.success) {
    const problems = parsed.error.issues
      .slice(0, MOST_PROBLEMS)
      .map(({ path, message }) => `/${path.map(String).join('/')}: ${message}`);
    return {
      notes: [l10n.t('The arguments do not fit the tool.')],
      data: problems.join('\n'),
      isError: true,
    };
  }
  const tool = tools[name] as (session: AgentSession, input: unknown, signal: AbortSignal) => Promise<Report>;
  return tool(session, parsed.data, signal);
}

function failed(text: string): Report {
  return { notes: [text], isError: true };
}

function isToolName(name: unknown): name is ToolName {
  return typeof name === 'string' && Object.hasOwn(tools, name);
}

/** Whether arguments are JSON without members that change an object's prototype, and not too deep. */
export function isPlainData(input: unknown): input is JsonObject {
  const left = [{ value: input, level: 0 }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, level } = next;
    if (level > MOST_LEVELS) return false;
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value) && ![Object.prototype, null].includes(Object.getPrototypeOf(value)))
      return false;
    for (const [key, member] of Object.entries(value)) {
      if (key === '__proto__') return false;
      left.push({ value: member, level: level + 1 });
    }
  }
  return isObject(input);
}

/** Removes the keys of the environments that agents may use. */
async function redactionOf({ house }: AgentSession): Promise<(text: string) => string> {
  const environments = await house.environments().catch(() => []);
  const redactions = await Promise.all(environments.map((one) => house.redaction(one)));
  return (text) => redactions.reduce((rest, redact) => redact(rest), text);
}
