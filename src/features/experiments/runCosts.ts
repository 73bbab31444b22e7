import * as vscode from 'vscode';
import { costText, expectedCosts } from '../../experiments/plan/expectedCosts';
import type { PlannedRun } from '../../experiments/plan/plan';
import { expectedCostText } from '../../runFiles/expectedCost';
import type { Services } from '../../services';
import type { ReadyExperiment } from './readyExperiment';

type Loaded = Pick<ReadyExperiment, 'environment' | 'loaded'>;
type Runs = readonly PlannedRun[];

export async function plannedCost(services: Services, { environment, loaded }: Loaded, runs: Runs) {
  return expectedCosts(runs, loaded, environment.baseUrl, await services.estimates());
}

/** The possible cost of runs, for buttons. */
export async function offeredCost(services: Services, ready: Loaded, runs: Runs) {
  return costText(await plannedCost(services, ready, runs), vscode.env.language);
}

/** The cost of runs, and the budget's verdict about it. */
export async function assessRuns(services: Services, ready: Loaded, runs: Runs) {
  const { baseUrl } = ready.environment;
  const cost = await plannedCost(services, ready, runs);
  const guard = await services.guard();
  // Amounts of other currencies cannot be compared with the budget, and are not added up.
  const { currency } = guard.spending(baseUrl).session;
  const total = cost.totals.find((one) => one.currency === currency) ?? cost.totals[0];
  const verdict = guard.assessTotal(baseUrl, {
    runs: runs.length,
    text: expectedCostText(cost, vscode.env.language),
    total: cost.unpriced.length === 0 ? total : undefined,
  });
  return { cost, verdict, unchecked: cost.totals.filter((one) => one !== total) };
}
