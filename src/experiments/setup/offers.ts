import { type ExperimentPlan, gridRuns, type PlannedRun } from '../plan/plan';

/** Which of the runs without a result an experiment is tried with before all of them. */
export type Offered = 'trial' | 'few' | 'missing';

/** Inputs of a trial run, and of a first look at all columns. */
export const TRIAL_INPUTS = 3;
export const FEW_INPUTS = 10;

/**
 * `trial`: the first inputs in the first column, once. `few`: the first inputs in every column. They are the first by
 * the order of the plan, a fair sample: see `randomOrder`.
 */
export function offeredRuns(
  which: Offered,
  missing: readonly PlannedRun[],
  plan: Pick<ExperimentPlan, 'runs'>,
): readonly PlannedRun[] {
  if (which === 'missing') return missing;
  const first = firstInputs(plan, which === 'trial' ? TRIAL_INPUTS : FEW_INPUTS);
  return missing.filter(({ repeat, serves }) =>
    serves.some(
      ({ variation, item }) => first.has(item) && (which === 'few' || (variation === 0 && repeat === 0)),
    ),
  );
}

function firstInputs(plan: Pick<ExperimentPlan, 'runs'>, count: number): ReadonlySet<number> {
  const first = new Set<number>();
  for (const { serves } of gridRuns(plan)) {
    if (first.size >= count) break;
    first.add(serves[0]!.item);
  }
  return first;
}
