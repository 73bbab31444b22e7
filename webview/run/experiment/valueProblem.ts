import type { Json } from '../../../src/domain/json';
import type { RunDraft } from '../../../src/domain/run';
import { setAt } from '../../../src/domain/value';
import { checkDraft } from '../../../src/forms/checkDraft';
import type { Field } from '../../../src/forms/fieldTypes';
import type { RunPage } from '../page';

/** The problem with one of the values of a field. A value that was just added is not wrong yet. */
export function valueProblem(page: RunPage, { pointer }: Field, value: Json): string | undefined {
  const { work, contract, showAll } = page.state;
  if (!work || !contract || (value === '' && !showAll)) return undefined;
  const draft = setAt(work.draft as unknown as Json, pointer, value) as unknown as RunDraft;
  return checkDraft({ ...contract, raw: undefined }, draft).find(
    (problem) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`),
  )?.message;
}
