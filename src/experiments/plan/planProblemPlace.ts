import * as l10n from '@vscode/l10n';
import { itemFaultText } from '../file/faultText';
import { itemLabel } from '../file/itemLabel';
import type { LoadedExperiment } from '../file/load';
import { columnName, columnTitles } from '../table/columnHead';
import type { ExperimentPlan, PlanProblem } from './plan';

/** Why inputs and runs of an experiment cannot be sent, one sentence each. */
export function blockedTexts({ faults, plan }: Pick<LoadedExperiment, 'faults' | 'plan'>): string[] {
  const ofPlan = plan.problems.map(
    (problem) => `${planProblemPlace(problem, plan)}: ${problem.pointer}: ${problem.message}`,
  );
  return [...faults.map(itemFaultText), ...ofPlan];
}

/** Which runs a problem keeps from being sent: "row 3 and 11 more (4 variations)", "row 3, top_k 12". */
export function planProblemPlace(
  { items, variations }: PlanProblem,
  plan: Pick<ExperimentPlan, 'items' | 'variations' | 'labels'>,
): string {
  const inputs = inputsText(items, plan);
  if (variations.size > 1) {
    const count = l10n.t('{0} variations', variations.size);
    return inputs === '' ? count : `${inputs} (${count})`;
  }
  const column = plan.variations.length > 1 ? columnText(variations, plan) : '';
  return [inputs, column].filter(Boolean).join(', ') || l10n.t('The request');
}

function inputsText(items: ReadonlySet<number>, plan: Pick<ExperimentPlan, 'items'>): string {
  const [first = 0] = items;
  const name = itemLabel(plan.items[first]?.name);
  return items.size === 1 ? name : l10n.t('{0} and {1} more', name, items.size - 1);
}

function columnText(
  variations: ReadonlySet<number>,
  plan: Pick<ExperimentPlan, 'variations' | 'labels'>,
): string {
  const [column = 0] = variations;
  return columnName(columnTitles(plan).columns[column] ?? [], column);
}
