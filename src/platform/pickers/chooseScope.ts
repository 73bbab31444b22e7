import * as vscode from 'vscode';
import { scopeProblem } from '../../wording/requestFaults';

/** Offered everywhere, for a first try. */
const PLAYGROUND = 'playground';

export interface ScopeQuestion {
  readonly title: string;
  readonly known?: readonly string[];
  /** Listed first. */
  readonly last?: string | undefined;
}

/** Asks for a scope: one of those known, or a new one, checked while it is typed. Undefined: cancelled. */
export async function chooseScope({ title, known = [], last }: ScopeQuestion): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick();
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Choose a scope, or type the name of a new one');
  picker.ignoreFocusOut = true;
  const scopes = [...new Set([...(last === undefined ? [] : [last]), ...known, PLAYGROUND])];
  const describe = (scope: string) => {
    if (scope === last) return vscode.l10n.t('last used');
    return known.includes(scope) ? '' : vscode.l10n.t('for experiments');
  };
  const rows = scopes.map((scope): vscode.QuickPickItem => ({ label: scope, description: describe(scope) }));
  const list = (typed: string) => {
    picker.items = typed === '' || scopes.includes(typed) ? rows : [typedItem(typed), ...rows];
  };
  list('');
  try {
    return await new Promise((resolve) => {
      picker.onDidChangeValue((typed) => list(typed.trim()));
      picker.onDidAccept(() => {
        const scope = picker.selectedItems[0]?.label ?? picker.value.trim();
        if (scopeProblem(scope) === undefined) resolve(scope);
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function typedItem(typed: string): vscode.QuickPickItem {
  const problem = scopeProblem(typed);
  const description = problem === undefined ? vscode.l10n.t('new scope') : `$(error) ${problem}`;
  return { label: typed, description, alwaysShow: true };
}
