import * as l10n from '@vscode/l10n';
import { type ModelContract, modeOf } from '../../domain/model';
import type { RunDraft } from '../../domain/run';
import { checkDraft } from '../../forms/checkDraft';

/**
 * Why a model does not accept the input of another one, as a sentence; undefined: it does. A problem of both is no
 * reason: the input may not be entered yet.
 */
export function misfitText(contract: ModelContract, own: ModelContract, draft: RunDraft): string | undefined {
  if (!modeOf(contract, draft.mode)) return l10n.t('It has no mode “{0}”.', draft.mode);
  const known = new Set(checkDraft(own, draft).map(({ pointer, message }) => `${pointer} ${message}`));
  const problems = checkDraft(contract, { ...draft, model: contract.slug }).filter(
    ({ pointer, message }) => !known.has(`${pointer} ${message}`),
  );
  const [first] = problems;
  if (!first) return undefined;
  const text = l10n.t('{0}: {1}', first.pointer.slice(1), first.message);
  return problems.length === 1 ? text : l10n.t('{0} And {1} more.', text, problems.length - 1);
}
