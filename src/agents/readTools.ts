import * as l10n from '@vscode/l10n';
import { descriptionOf } from '../commands/describe';
import { loadNamed } from '../commands/experiment';
import { printFigures, recordedFigures } from '../commands/figures';
import { listModels, modelLines } from '../commands/models';
import { table } from '../commands/table';
import { UsageError } from '../commands/usageError';
import { costOfRuns, expectedCosts } from '../experiments/plan/expectedCosts';
import { sortRuns } from '../experiments/plan/wantedRuns';
import { resultPlaces } from '../experiments/results/resultsFile';
import { expectedCostText } from '../runFiles/expectedCost';
import type { Report } from './answer';
import { allowedPath } from './files';
import { collectLines, reportText } from './lines';
import { type AgentSession, environmentOf } from './session';
import type { ToolInput } from './toolInputs';

export async function findModels(
  { house }: AgentSession,
  { text = '', environment }: ToolInput<'find_models'>,
): Promise<Report> {
  const client = await house.client(await environmentOf(house, environment));
  const { models, notes, isUnderstood } = await listModels(text, client);
  const none = isUnderstood && models.length === 0 ? [l10n.t('No model matches.')] : [];
  return { notes: [], data: reportText([...modelLines(models), ...none, ...notes]) };
}

export async function describeModel(
  { house }: AgentSession,
  { model, environment }: ToolInput<'describe_model'>,
): Promise<Report> {
  const client = await house.client(await environmentOf(house, environment));
  return { notes: [], data: reportText(descriptionOf(await client.getModel(model))) };
}

export async function estimateCost(
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
  const loaded = await loadNamed(path, path, client, lines);
  if (!loaded) return { notes: [], data: lines.text, isError: true };
  const { file } = resultPlaces(path);
  const { missing } = await sortRuns(await house.store(), loaded, file);
  const cost = expectedCosts(missing, loaded, client.baseUrl, estimates);
  lines.print(expectedCostText(cost, house.locale));
  if (cost.unpriced.length > 0) lines.warn(l10n.t('No published price: {0}.', cost.unpriced.join(', ')));
  return { notes: [], data: lines.text };
}

export async function listScopes(
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
export async function experimentFigures(
  { house }: AgentSession,
  { experiment, environment }: ToolInput<'read_results'>,
): Promise<Report> {
  const client = await house.client(await environmentOf(house, environment));
  const { path } = await allowedPath(experiment ?? '', await house.folders());
  const lines = collectLines();
  const loaded = await loadNamed(path, path, client, lines);
  if (!loaded) return { notes: [], data: lines.text, isError: true };
  const { file } = resultPlaces(path);
  printFigures(await recordedFigures(loaded, file), lines);
  return { notes: [], data: [lines.text, l10n.t('Results: {0}', file)].join('\n') };
}
