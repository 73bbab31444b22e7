import * as l10n from '@vscode/l10n';
import type { MetricEntry } from '../../experiments/file/format';
import { checkFrom, TYPED_CHECKS, type TypedCheck } from '../../experiments/setup/addedMetric';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';

const PROMPTS: Readonly<Record<TypedCheck, () => string>> = {
  matches: () => l10n.t('A regular expression that the text must match, such as {0}', '^[a-z]{3}$'),
  contains: () => l10n.t('A text, item or members that the result must contain, such as {0}', 'eng'),
  equals: () =>
    l10n.t('A text or a value in JSON that the result must equal, such as {0}', '{"label": "eng"}'),
  oneOf: () => l10n.t('The possible values, such as {0}', 'eng, fra'),
  near: () => l10n.t('A number and how far off the result may be, such as {0}', '3 ± 0.1'),
  schema: () => l10n.t('A JSON Schema of the result, such as {0}', '{"type": "object"}'),
  hitsContain: () => l10n.t('IDs that the hits must contain, such as {0}', 'cat.png, dog.png'),
  maxSeconds: () => l10n.t('The most seconds that a run may take, such as {0}', '2'),
  maxCost: () => l10n.t('The most that a run may cost, such as {0}', '0.01'),
};

/** Asks for a check of each run. Undefined: cancelled. */
export async function askCheck(): Promise<Extract<MetricEntry, object> | undefined> {
  const items = TYPED_CHECKS.map((kind) => ({ label: kind, detail: PROMPTS[kind](), check: kind }));
  const chosen = await showQuickPick(items, { title: l10n.t('Check of each run') });
  if (!chosen) return undefined;
  const { check: kind } = chosen;
  const typed = await showInputBox({
    title: kind,
    prompt: PROMPTS[kind](),
    validateInput: (text) => (checkFrom(kind, text) ? undefined : PROMPTS[kind]()),
  });
  const check = typed === undefined ? undefined : checkFrom(kind, typed);
  return check && { check };
}
