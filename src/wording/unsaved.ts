import * as l10n from '@vscode/l10n';
import type { StoreFailure } from '../domain/storeProblem';
import { storeProblemText } from './storeProblem';

interface Held {
  readonly count: number;
  readonly problem: StoreFailure;
}

/** How many responses are held in memory, and why. */
export function unsavedText(held: Held): string {
  const text =
    held.count === 1
      ? l10n.t('1 response was received but is not saved yet. Saving is retried.')
      : l10n.t('{0} responses were received but are not saved yet. Saving is retried.', held.count);
  return `${text} ${storeProblemText(held.problem)}`;
}
