import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { contextKeys } from '../../contributions';
import { askFilter } from '../../vscode/askFilter';
import { executeBuiltIn } from '../../vscode/commands';
import type { HistoryTree } from './tree';

/** The filter of the history view, shown beside its title. */
export class HistoryFilter {
  constructor(
    private readonly tree: HistoryTree,
    private readonly view: Pick<vscode.TreeView<unknown>, 'description'>,
  ) {}

  apply(filter: string): void {
    const { tree, view } = this;
    if (filter.trim() === tree.filter) return;
    tree.filter = filter;
    view.description = tree.filter === '' ? '' : `“${tree.filter}”`;
    void executeBuiltIn('setContext', contextKeys.historyFiltered, tree.filter !== '');
  }

  ask(): void {
    const texts = {
      title: l10n.t('Filter the History'),
      placeholder: l10n.t('Words of the input, model, file, name or message'),
    };
    askFilter({ ...texts, before: this.tree.filter }, (filter) => this.apply(filter));
  }
}
