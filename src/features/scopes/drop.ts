import * as vscode from 'vscode';
import type { ScopeTarget } from '../../contributions';
import { showError } from '../../platform/showError';
import type { ScopesNode } from './nodes';

const URI_LIST = 'text/uri-list';

/** Files dropped on a model's row in the scopes view are indexed there; dropped elsewhere, the dataset is asked for. */
export class DropOnScope implements vscode.TreeDragAndDropController<ScopesNode> {
  readonly dropMimeTypes = [URI_LIST];
  readonly dragMimeTypes = [URI_LIST];

  constructor(
    private readonly index: (uris: readonly vscode.Uri[], target: ScopeTarget | undefined) => Promise<void>,
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
    const dataset = node?.kind === 'dataset' || node?.kind === 'folder' ? node.dataset : undefined;
    // Not awaited: the drop is over, and the questions that follow take as long as the user likes.
    this.index(uris, dataset ?? (node?.kind === 'item' ? node.item : undefined)).catch((error: unknown) =>
      showError(error, this.log),
    );
  }
}
