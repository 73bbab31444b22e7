import type { DirectiveResult } from 'lit/directive.js';
import { guard } from 'lit/directives/guard.js';
import type { Field } from '../../../src/forms/fieldTypes';
import type { RunPage } from '../page';
import { idsOf } from './ids';

const shown = new Map<string, Field>();

/**
 * A field that holds nothing but a value is made anew only when something of it changed: a keystroke in one of two
 * hundred fields then costs that of one.
 */
export function unlessUnchanged(page: RunPage, field: Field, template: () => unknown): DirectiveResult {
  const id = idsOf(field).control;
  const before = shown.get(id);
  const same = before !== undefined && isSame(before, field) ? before : field;
  shown.set(id, same);
  const problems = page.problemsAt(field.pointer, false).map(({ message }) => message);
  return guard([id, same, problems.join('\n')], template);
}

/** Whether two fields look and act alike. Fields are made anew from schema and value; their functions follow from these. */
function isSame(a: Field, b: Field): boolean {
  const keys = Object.keys(b) as (keyof Field)[];
  return (
    keys.length === Object.keys(a).length &&
    keys.every((key) => {
      const [before, now] = [a[key], b[key]] as [unknown, unknown];
      if (before === now || typeof now === 'function') return true;
      return typeof now === 'object' && JSON.stringify(before) === JSON.stringify(now);
    })
  );
}
