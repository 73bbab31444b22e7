import * as vscode from 'vscode';
import type { ModelContract } from '../../../domain/model';
import { delimiterText } from '../../../experiments/faultText';
import { GridTooLarge, tooLargeText } from '../../../experiments/grid';
import { comparedPlaces } from '../../../experiments/setup/columns';
import { SetupIncomplete, setUpMembers } from '../../../experiments/setup/members';
import { setupText } from '../../../experiments/setup/size';
import type { ExperimentSize, SetUpRun } from '../../../protocol/run';
import { messageOf } from '../../../vscode/showError';
import type { PanelExperiment } from './handlers';
import { inputCount } from './inputCount';

/** The number of a setup's runs, and their possible cost. */
export async function measure(panel: PanelExperiment, run: SetUpRun): Promise<ExperimentSize> {
  return { ...(await experimentSize(panel, run)), results: comparedPlaces(panel.result()) };
}

async function experimentSize(
  panel: PanelExperiment,
  { draft, experiment }: SetUpRun,
): Promise<Omit<ExperimentSize, 'results'>> {
  try {
    const { baseUrl } = panel.environment();
    const members = setUpMembers(draft, experiment, '/');
    const { problem, delimiter, ...items } = await inputCount(experiment.over);
    const prices = {
      ...{ baseUrl, estimates: await panel.services.estimates() },
      contracts: await contractsOf(panel, draft.model, experiment.models),
    };
    const size = setupText(draft, members, items, prices, vscode.env.language);
    const text = delimiter === undefined ? size : `${size} · ${delimiterText(delimiter)}`;
    return { text, ...(problem !== undefined && { problem }) };
  } catch (error) {
    if (error instanceof GridTooLarge) return { text: '', problem: tooLargeText(error, vscode.env.language) };
    if (error instanceof SetupIncomplete) return { text: '', problem: error.message };
    return { text: '', problem: messageOf(error) };
  }
}

/** Those that are known: a model without one has no price yet. */
async function contractsOf(
  { services, environment, contract }: PanelExperiment,
  own: string,
  models: SetUpRun['experiment']['models'],
): Promise<ReadonlyMap<string, ModelContract>> {
  const catalog = services.catalog.of(environment());
  const others = await Promise.all(models.map(({ slug }) => catalog.cachedContract(slug)));
  const known = others.flatMap((one) => (one ? [[one.slug, one] as const] : []));
  return new Map([[own, await contract()], ...known]);
}
