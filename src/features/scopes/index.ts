import * as vscode from 'vscode';
import { type IndexTarget, views } from '../../contributions';
import type { Services } from '../../services';
import { executeCommand, registerCommands } from '../../vscode/commands';
import { LazyTree } from '../../vscode/lazyTree';
import { createTreeView } from '../../vscode/messages/views';
import { registerChangeBadges } from './changeBadges';
import type { ScopesNode } from './nodes';
import type { ScopesTree } from './tree';

/** The scopes view: indexed files, by scope, model and folder. */
export function registerScopes(services: Services): vscode.Disposable {
  const tree: LazyTree<ScopesNode, ScopesTree> = new LazyTree(
    async () => new (await import('./tree')).ScopesTree(services, (row) => view.reveal(row, { focus: true })),
  );
  const view: vscode.TreeView<ScopesNode> = createTreeView(views.scopes, {
    treeDataProvider: tree,
    showCollapseAll: true,
    dragAndDropController: new DropOnScope(),
  });
  const describe = () => {
    view.description = services.connection.active?.name ?? '';
  };
  describe();
  // The code of commands is loaded when one is run: a window's start does not need it.
  const commands = () => import('./scopeCommands');
  return vscode.Disposable.from(
    tree,
    view,
    services.connection.onDidChange(describe),
    registerCommands(services.log, {
      'modelBench.addScope': async () => (await commands()).addScope(services),
      'modelBench.forgetScope': async (row) => (await commands()).forgetScope(services, row),
      'modelBench.showFailedFiles': async (row) => {
        const { showFailedFiles } = await import('./failedFiles');
        await showFailedFiles(services, row, await tree.load(), view);
      },
    }),
    registerChangeBadges(services, (uri) => tree.loaded?.fileChanged(uri)),
  );
}

const URI_LIST = 'text/uri-list';

/**
 * Files dropped on a row of the scopes view are indexed there; the user is asked for parts that the row does not
 * determine.
 */
class DropOnScope implements vscode.TreeDragAndDropController<ScopesNode> {
  readonly dropMimeTypes = [URI_LIST];
  readonly dragMimeTypes = [URI_LIST];

  /** An item can be dragged out as the file it is: onto an editor, or a run panel. */
  handleDrag(nodes: readonly ScopesNode[], transfer: vscode.DataTransfer): void {
    const files = nodes.flatMap((node) => (node.kind === 'item' ? [node.item.file] : []));
    if (files.length > 0) transfer.set(URI_LIST, new vscode.DataTransferItem(files.join('\r\n')));
  }

  async handleDrop(node: ScopesNode | undefined, transfer: vscode.DataTransfer): Promise<void> {
    const list = await transfer.get(URI_LIST)?.asString();
    const dropped = (list ?? '')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => vscode.Uri.parse(line, true));
    // In a remote window the same file has two names; by the other one its id would be another.
    const { nearestUri } = await import('../../platform/localFile');
    const [first, ...others] = await Promise.all(dropped.map(nearestUri));
    // Not awaited: the drop has finished, and the questions that follow take as long as the user likes.
    if (first) void executeCommand('modelBench.indexMedia', first, [first, ...others], targetOf(node));
  }
}

function targetOf(node: ScopesNode | undefined): IndexTarget | undefined {
  if (node && 'dataset' in node) return node.dataset;
  return node?.kind === 'scope' ? { scope: node.scope } : undefined;
}
