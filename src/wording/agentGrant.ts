import * as l10n from '@vscode/l10n';
import type { AgentCallState, AgentMark, GrantRefusal, LivingGrant } from '../domain/agentGrant';
import { compareAmounts } from '../domain/amounts';
import type { Money } from '../domain/money';
import { formatMoney } from './money';

/** The words about a paid call that an agent reads. */
export interface RefusedCall {
  /** "a run of acme/segment", "indexing 40 files into photos". */
  readonly purpose: string;
  /** Its expected cost; missing: unknown. */
  readonly expected?: Money;
}

/**
 * The response to an agent whose paid call is not admitted: "Needs approval: about $0.02 for a run of acme/segment. …;
 * ask the user to choose “Agent Spending…”."
 */
export function refusalText(
  refusal: GrantRefusal,
  { purpose, expected }: RefusedCall,
  locale?: string,
): string {
  if (refusal.kind === 'keyReused')
    return l10n.t('This idempotency key was used for another request. Nothing was sent. Use a new key.');
  if (refusal.kind === 'unconfirmed')
    return l10n.t(
      'The outcome of the same request is unconfirmed, and it may have been charged: call {0}. Nothing was sent. Ask the user to look at Usage in VS Code, and repeat the request only after its outcome is known.',
      refusal.call,
    );
  const needs = expected
    ? l10n.t('Needs approval: about {0} for {1}.', formatMoney(expected, locale, { about: true }), purpose)
    : l10n.t('Needs approval: a cost that is not known, for {0}.', purpose);
  const ask = l10n.t(
    'Nothing was sent. Ask the user to choose “Agent Spending…” in the Command Palette of VS Code.',
  );
  return [needs, reasonText(refusal, locale), ask].join(' ');
}

function reasonText(
  refusal: Exclude<GrantRefusal, { kind: 'keyReused' | 'unconfirmed' }>,
  locale?: string,
): string {
  switch (refusal.kind) {
    case 'none':
      return l10n.t('Agents have no permission to spend in this environment.');
    case 'ended':
      return l10n.t('The permission for agents to spend in this environment has ended.');
    case 'otherGrant':
      return l10n.t('The permission is for another environment or another agent.');
    case 'tool':
      return l10n.t('The permission does not include {0}.', refusal.tool);
    case 'unknownPrice':
      return l10n.t('Only calls with a known price are within the permission.');
    case 'beyond':
      return l10n.t(
        'The permission has {0} left of {1}.',
        formatMoney(refusal.left, locale),
        formatMoney(refusal.limit, locale),
      );
    case 'exceeded':
      return l10n.t(
        'The permission of {0} is exceeded by {1}, with what is reserved.',
        formatMoney(refusal.limit, locale),
        formatMoney(refusal.by, locale),
      );
  }
}

/** The `--max-cost` of a process as it starts, and the amounts that it replaces. @param grants of other processes, at the same service */
export function capLines(cap: Money, grants: readonly LivingGrant[]): string[] {
  const before = grants.map(({ client = '', amount, currency, spent }) => {
    const [given, used] = [amount, spent].map((of) => formatMoney({ amount: of, currency }, 'en'));
    return compareAmounts(amount, cap.amount) < 0
      ? l10n.t('It replaces {0} of “{1}” from another process; {2} of it are spent.', given!, client, used!)
      : l10n.t(
          '“{1}” has {0} from another process, of which {2} are spent: that stays.',
          given!,
          client,
          used!,
        );
  });
  return [l10n.t('The agent of this process may spend {0} today.', formatMoney(cap, 'en')), ...before];
}

const CALL_STATES: Readonly<Record<AgentCallState, () => string>> = {
  running: () => l10n.t('running'),
  finished: () => l10n.t('finished'),
  failed: () => l10n.t('failed'),
  stopped: () => l10n.t('stopped'),
  unconfirmed: () => l10n.t('unconfirmed'),
};

export function callStateText(state: AgentCallState): string {
  return CALL_STATES[state]();
}

/** "by agent Claude Code (run_model)", on a run of the history. */
export function agentText({ agent, tool }: AgentMark): string {
  return l10n.t('by agent {0} ({1})', agent, tool);
}
