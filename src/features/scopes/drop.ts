import * as vscode from 'vscode';
import { showError } from '../../platform/showError';
import type { IndexTarget } from './indexMedia';
import type { ScopesNode } from './nodes';

const URI_LIST = 'text/uri-list';

/** Files dropped on a row of the scopes view are indexed there; what the row leaves open is asked for. */
export class DropOnScope implements vscode.TreeDragAndDropController<ScopesNode> {
  readonly dropMimeTypes = [URI_LIST];
  readonly dragMimeTypes = [URI_LIST];

  constructor(
    private readonly index: (uris: readonly vscode.Uri[], into: IndexTarget | undefined) => Promise<void>,
    private readonly log: vscode.LogOutputChannel,
  ) {}

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
    const uris = await Promise.all(dropped.map(nearestUri));
    if (uris.length === 0) return;
    // Not awaited: the drop is over, and the questions that follow take as long as the user likes.
    this.index(uris, targetOf(node)).catch((error: unknown) => showError(error, this.log));
  }
}

function targetOf(node: ScopesNode | undefined): IndexTarget | undefined {
  switch (node?.kind) {
    case 'dataset':
    case 'folder':
      return node.dataset;
    case 'item':
      return node.item;
    case 'scope':
      return { scope: node.scope };
    default:
      return undefined;
  }
}
