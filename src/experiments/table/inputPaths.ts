import { posix } from 'node:path';
import type { ExperimentFile } from '../format';
import { matcherOf } from '../items';

/**
 * Whether a change of a file may change the inputs of an experiment: one that its text names, one that its globs match,
 * or what is expected beside an input. True too often costs a reading; false too often would show what is no more.
 * @param path relative to the experiment's folder, with "/"
 */
export function isInputPath(
  { run, over, vary, expected }: Pick<ExperimentFile, 'run' | 'over' | 'vary' | 'expected'>,
  path: string,
): boolean {
  if (JSON.stringify([run, over, vary]).includes(JSON.stringify(posix.basename(path)).slice(1, -1)))
    return true;
  if (over && 'files' in over && matcherOf([over.files].flat())(path)) return true;
  return expected !== undefined && 'file' in expected && path.endsWith(expected.file);
}
