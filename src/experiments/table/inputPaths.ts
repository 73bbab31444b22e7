import { posix } from 'node:path';
import { PathGlobs } from '../../intake/globs';
import type { ExperimentFile } from '../file/format';

/**
 * Whether a change of a file may change the inputs of an experiment: one that its text names, one that its globs
 * match, or the expected value beside an input. True too often costs a reading; false too often would show old
 * inputs.
 * @param path relative to the experiment's folder, with "/"
 */
export function isInputPath(
  {
    run,
    over,
    vary,
    expected,
    metrics,
  }: Pick<ExperimentFile, 'run' | 'over' | 'vary' | 'expected' | 'metrics'>,
  path: string,
): boolean {
  if (path.endsWith('.qrels.jsonl')) return true;
  if (
    JSON.stringify([run, over, vary, metrics, expected]).includes(
      JSON.stringify(posix.basename(path)).slice(1, -1),
    )
  )
    return true;
  // Cells of a table name them, so that each file may be an input.
  if (over && 'rows' in over && Object.keys(over.media ?? {}).length > 0) return true;
  if (over && 'files' in over && new PathGlobs([over.files].flat()).matches(path)) return true;
  return expected !== undefined && 'file' in expected && path.endsWith(expected.file);
}
