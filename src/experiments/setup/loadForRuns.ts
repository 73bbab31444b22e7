import type { ModelContract } from '../../domain/model';
import { unlessNotFound } from '../../service/errors';
import { loadExperiment, type ReadyOrNot } from '../file/load';
import { blockedTexts } from '../plan/planProblemPlace';
import { partWarnings } from './comparedParts';

/** An experiment whose runs are about to be sent, in a window, a terminal or by an agent. */
export interface ExperimentForRuns extends ReadyOrNot {
  /** Why some of its inputs and runs cannot be sent, in sentences. */
  readonly blocked: readonly string[];
  /** Doubts about its results so far, in sentences. */
  readonly doubts: readonly string[];
}

/**
 * @param path absolute path of the experiment
 * @param results absolute path of its results
 * @param contractOf rejects where there is no such model
 */
export async function loadForRuns(
  path: string,
  text: string,
  results: string,
  contractOf: (model: string) => Promise<ModelContract>,
): Promise<ExperimentForRuns> {
  const read = await loadExperiment(path, text, (model) => unlessNotFound(contractOf(model)));
  const { loaded } = read;
  if (!loaded) return { ...read, blocked: [], doubts: [] };
  // Results that cannot be read are reported where the runs are sorted.
  const doubts = await partWarnings(loaded, results).catch(() => []);
  return { ...read, blocked: blockedTexts(loaded), doubts };
}
