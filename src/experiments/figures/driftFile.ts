import { resultPlaces } from '../files/places';
import type { ExperimentHead } from '../plan/experimentKind';

/**
 * Where the results of runs that are sent again are: apart from those that they are compared with.
 * @param experiment absolute path of the experiment
 * @param day a check that is started again on the same day goes on
 */
export function driftFile(experiment: string, day: Date): string {
  const date = day.toISOString().slice(0, 10);
  return resultPlaces(experiment).file.replace(/(?:\.results)?\.jsonl$/, `.drift-${date}.results.jsonl`);
}

/** Whether a results file is of runs that were sent again, later than those of the experiment. */
export function isOfDriftCheck(results: string): boolean {
  return /\.drift-\d{4}-\d\d-\d\d\.results\.jsonl$/.test(results);
}

/** Whether a job sends runs again, instead of those without a result. */
export function isDriftCheck({ file, results }: Pick<ExperimentHead, 'file' | 'results'>): boolean {
  return results !== resultPlaces(file).file;
}
