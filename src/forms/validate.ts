import * as l10n from '@vscode/l10n';
import type { Json, JsonSchema } from '../domain/json';
import { Evaluation } from './evaluation/evaluation';
import type { NodeOutcome, Validity } from './evaluation/outcome';
import { UNKNOWN } from './evaluation/outcome';
import { type Issue, validationIssues } from './issues';
import { compileSchema } from './schema/compile';
import type { CompiledSchema } from './schema/node';

export interface Validation {
  readonly verdict: Validity;
  /** In the order of the form; at most one for each place and message. */
  readonly issues: readonly Issue[];
  /** The constraints that were not checked, in sentences for the user. */
  readonly notes: readonly string[];
}

/**
 * Checks a value against a schema of any draft. Never throws; constraints that cannot be checked are named in `notes`
 * and left to the service.
 *
 * @param pointer the value's place in the run request; pointers of issues start with it
 */
export function validateValue(schema: JsonSchema, value: Json, pointer = ''): Validation {
  const compiled = compileSchema(schema);
  const notes = new Set(compiled.notes);
  compiled.work.renew();
  const outcome = evaluated(compiled, value, pointer);
  if (outcome === undefined || compiled.work.isUsedUp)
    notes.add(l10n.t('This input is too large to check in full. Only the service checks the rest.'));
  compiled.work.renew();
  const { verdict, findings } = outcome ?? UNKNOWN;
  return { verdict, issues: validationIssues(compiled, value, pointer, findings), notes: [...notes] };
}

/** Undefined for a value nested deeper than the stack. */
function evaluated(compiled: CompiledSchema, value: Json, pointer: string): NodeOutcome | undefined {
  try {
    return new Evaluation(compiled).evaluate(compiled.root, value, pointer);
  } catch {
    return undefined;
  }
}
