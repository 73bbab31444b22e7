import type { DirectiveResult } from 'lit/directive.js';
import { guard } from 'lit/directives/guard.js';
import type { Field } from '../../../src/forms/fieldTypes';
import type { RunPage } from '../page';

/**
 * A field whose template follows from the field and its problems is rendered again only when one of them changed: a
 * keystroke then renders one of hundreds of fields. `formOf` returns the same field while it is unchanged.
 */
export function unlessUnchanged(page: RunPage, field: Field, template: () => unknown): DirectiveResult {
  const problems = page.problemsAt(field.pointer, true).map(({ message }) => message);
  return guard([field, problems.join('\n')], template);
}
