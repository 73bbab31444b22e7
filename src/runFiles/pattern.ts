import { isCheckable, matchesPattern } from '../forms/patterns/pattern';
import { CheckLimit } from '../forms/work';

/**
 * A regular expression of a run file, matched in linear time; undefined when it is not valid, or looks around or back. A
 * text that is too long for it does not match.
 */
export function readPattern(pattern: string): ((text: string) => boolean) | undefined {
  if (!isCheckable(pattern)) return undefined;
  return (text) => matchesPattern(pattern, text, new CheckLimit()) === true;
}
