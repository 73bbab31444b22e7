import * as l10n from '@vscode/l10n';
import type { Json, JsonSchema } from '../domain/json';
import { type Issue, issuesOf } from './issues';
import { compileSchema } from './schema/compile';
import { findings } from './schema/validator';

export interface Validation {
  /** In the order of the form; at most one for each place and message. */
  readonly issues: readonly Issue[];
  /** What was not checked, in sentences for the user. */
  readonly notes: readonly string[];
}

/**
 * Checks a value against a schema of any draft. Never throws; what cannot be checked is named in `notes` and left to
 * the service.
 *
 * @param pointer where the value stands in the run request; pointers of issues start with it
 */
export function validateValue(schema: JsonSchema, value: Json, pointer = ''): Validation {
  const compiled = compileSchema(schema);
  const notes = new Set(compiled.notes);
  const found = findings(compiled, compiled.root, value, 'all');
  if (found === undefined) notes.add(l10n.t('This input could not be checked. Only the service checks it.'));
  return { issues: issuesOf(compiled, value, pointer, found ?? []), notes: [...notes] };
}
