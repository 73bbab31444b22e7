import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentCall } from '../../domain/agentGrant';
import type { Services } from '../../services';
import type { Store } from '../../store/store';
import { executeCommand } from '../../vscode/commands';
import { showQuickPick } from '../../vscode/messages/inputs';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { callStateText } from '../../wording/agentGrant';
import { formatTimeOfDay } from '../../wording/displayLanguage';
import { formatMoney } from '../../wording/money';
import { formatUntil, toolText, usedText } from './grantText';

const MOST_CALLS = 50;

/** Ends every grant at once. Agents of other windows and processes follow through the store. */
async function stopAgentRuns({ agentGrants }: Store): Promise<void> {
  await agentGrants.end();
  void showInformationMessage(
    l10n.t('Agents may no longer spend. Their runs stop; requests that were sent are waited for.'),
  );
}

interface Row extends vscode.QuickPickItem {
  act?(): unknown;
}

/**
 * Agent Spending…: the grants that live, with ways to change and stop them, and the last calls of agents, which open
 * their run.
 * @param connect adds another agent
 */
export async function showSpending(services: Services, connect: () => Promise<void>): Promise<void> {
  const store = await services.store();
  const { agentGrants } = store;
  const allow = async () => (await import('./allow/allowSpending')).allowSpending(services);
  const history = await services.history();
  const language = vscode.env.language;
  const grants = agentGrants.living();
  const calls = agentGrants.calls({ limit: MOST_CALLS });
  const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const rows: Row[] = [
    ...grants.map((grant) => ({
      label: usedText(grant, language),
      description: l10n.t('{0}, until {1}', grant.environment.name, formatUntil(grant.until, language)),
      detail: [grant.client ?? l10n.t('All agents'), ...grant.tools.map(toolText)].join(', '),
      iconPath: new vscode.ThemeIcon('hubot'),
      act: allow,
    })),
    separator(''),
    {
      label: grants.length > 0 ? l10n.t('Change…') : l10n.t('Allow Agent Spending…'),
      iconPath: new vscode.ThemeIcon('edit'),
      act: allow,
    },
    ...(grants.length > 0
      ? [
          {
            label: l10n.t('Stop Agent Runs'),
            iconPath: new vscode.ThemeIcon('debug-stop'),
            act: () => stopAgentRuns(store),
          },
        ]
      : []),
    {
      label: l10n.t('Connect Other Agents…'),
      iconPath: new vscode.ThemeIcon('plug'),
      act: connect,
    },
    ...(calls.length > 0 ? [separator(l10n.t('Last calls'))] : []),
    ...calls.map((call) => callRow(call, language, (id) => history.get(id) !== undefined)),
  ];
  const title = l10n.t('Agent Spending');
  const chosen = await showQuickPick(rows, { title, matchOnDescription: true, matchOnDetail: true });
  await chosen?.act?.();
}

function callRow(call: AgentCall, language: string, isRun: (id: string) => boolean): Row {
  const { agent, tool, state, charged, reserved, currency, environment, startedAt, work } = call;
  const amount = charged ?? reserved;
  const money = formatMoney({ amount, currency }, language);
  return {
    label: `${tool} · ${agent}`,
    description: [
      callStateText(state),
      charged === undefined ? l10n.t('{0} reserved', money) : money,
      environment.name,
      formatTimeOfDay(startedAt, language),
    ].join(' · '),
    ...(work !== undefined &&
      isRun(work) && { act: () => executeCommand('modelBench.openRun', { id: work }) }),
  };
}
