import type { Json } from '../../src/domain/json';
import type { RunDraft } from '../../src/domain/run';
import { removeAt, setAt } from '../../src/domain/value';
import type { WorkInProgress } from '../../src/protocol/run';

export function withDraft(work: WorkInProgress, change: (draft: Json) => Json): WorkInProgress {
  return { ...work, draft: change(work.draft as unknown as Json) as unknown as RunDraft };
}

/** The work after an edit that moves other members or items to the pointers below `pointer`. */
export function rearranged(
  work: WorkInProgress,
  pointer: string,
  change: (draft: Json) => Json,
): WorkInProgress {
  return { ...withDraft(work, change), ...elsewhere(work, (at) => at.startsWith(`${pointer}/`)) };
}

/**
 * The work with a variant chosen by hand: it stays chosen, even if its value matches another one. Choices and typed
 * texts inside go with the earlier value.
 *
 * @param index undefined: none is chosen
 * @param value undefined: the member is left out
 */
export function withVariant(
  work: WorkInProgress,
  pointer: string,
  index: number | undefined,
  value: Json | undefined,
): WorkInProgress {
  const changed = withDraft(work, (draft) =>
    value === undefined ? removeAt(draft, pointer) : setAt(draft, pointer, value),
  );
  const kept = elsewhere(work, (at) => at === pointer || at.startsWith(`${pointer}/`));
  const choices = index === undefined ? kept.choices : { ...kept.choices, [pointer]: index };
  return { ...changed, ...kept, choices };
}

/** The choices and unfinished JSON at other places. */
function elsewhere(
  { choices = {}, brokenParts = {} }: WorkInProgress,
  isInside: (pointer: string) => boolean,
): Pick<WorkInProgress, 'choices' | 'brokenParts'> {
  const isKept = ([at]: [string, unknown]) => !isInside(at);
  return {
    choices: Object.fromEntries(Object.entries(choices).filter(isKept)),
    brokenParts: Object.fromEntries(Object.entries(brokenParts).filter(isKept)),
  };
}
