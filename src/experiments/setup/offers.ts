import type { PlannedRun } from '../plan';

/** Which of the runs without a result an experiment is tried with before all of them. */
export type Offered = 'trial' | 'few' | 'missing';

/** Inputs of a trial run, and of a first look at all columns. */
export const TRIAL_INPUTS = 3;
export const FEW_INPUTS = 10;

/** `trial`: the first inputs in the first column, once. `few`: the first inputs in every column. */
export function offeredRuns(which: Offered, missing: readonly PlannedRun[]): readonly PlannedRun[] {
  switch (which) {
    case 'trial':
      return missing.filter(
        ({ repeat, serves }) =>
          repeat === 0 && serves.some(({ variation, item }) => variation === 0 && item < TRIAL_INPUTS),
      );
    case 'few':
      return missing.filter(({ serves }) => serves.some(({ item }) => item < FEW_INPUTS));
    case 'missing':
      return missing;
  }
}
