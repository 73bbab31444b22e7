import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { scopeNamed } from '../../domain/scope';
import { createQuickPick, untilAnswered } from '../../vscode/messages/inputs';
import { scopeProblem } from '../../wording/requestFaults';

/** Offered everywhere, for a first try. */
const PLAYGROUND = 'playground';

export interface ScopeQuestion {
  readonly title: string;
  readonly known?: readonly string[];
  /** Listed first. */
  readonly last?: string | undefined;
  /** Name of a folder that is indexed: its scope may be called the same. */
  readonly folder?: string | undefined;
}

interface ScopeItem extends vscode.QuickPickItem {
  readonly scope: string;
}

/** Asks for a scope: one of those known, or a new one, checked while it is typed. Undefined: cancelled. */
export async function chooseScope(question: ScopeQuestion): Promise<string | undefined> {
  const { title, known = [], last } = question;
  const named = question.folder === undefined ? undefined : scopeNamed(question.folder);
  const picker = createQuickPick<ScopeItem>();
  picker.title = title;
  picker.placeholder = l10n.t('Choose a scope, or type the name of a new one');
  picker.ignoreFocusOut = true;
  const scopes = [...new Set([last, ...known, named, PLAYGROUND].filter((scope) => scope !== undefined))];
  const describe = (scope: string) => {
    if (scope === last) return l10n.t('last used');
    if (scope === named && !known.includes(scope)) return l10n.t('name of the folder');
    return known.includes(scope) ? '' : l10n.t('for experiments');
  };
  const rows = scopes.map((scope): ScopeItem => ({ label: scope, scope, description: describe(scope) }));
  const list = (typed: string) => {
    picker.items = typed === '' || scopes.includes(typed) ? rows : [typedItem(typed), ...rows];
  };
  list('');
  return untilAnswered(picker, (resolve) => {
    picker.onDidChangeValue((typed) => list(typed.trim()));
    picker.onDidAccept(() => {
      const scope = picker.selectedItems[0]?.scope ?? picker.value.trim();
      if (scopeProblem(scope) === undefined) resolve(scope);
    });
  });
}

function typedItem(typed: string): ScopeItem {
  const problem = scopeProblem(typed);
  return {
    label: typed,
    scope: typed,
    description: problem ?? l10n.t('new scope'),
    ...(problem !== undefined && { iconPath: new vscode.ThemeIcon('error') }),
    alwaysShow: true,
  };
}
