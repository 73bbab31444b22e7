import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExplorerArgs } from '../../contributions';
import { mediaTypeOf } from '../../domain/media';
import { contentTypeOf } from '../../intake/contentType';
import { filenameOf } from '../localFile';
import { tabFile } from './openTabs';

/** The URIs that the Explorer, an editor title or the palette pass: the selection, else the clicked file, else none. */
export function chosenUris([clicked, selected]: readonly [...ExplorerArgs, ...unknown[]]): vscode.Uri[] {
  const all = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  return all.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri);
}

/** The first open file of a kind: active tabs of all editor groups before the tabs behind them. @throws when there is none */
export function openFile(kind: string | undefined): vscode.Uri {
  const groups = vscode.window.tabGroups.all;
  const tabs = [...groups.map((group) => group.activeTab), ...groups.flatMap((group) => group.tabs)];
  const open = tabs
    .map(tabFile)
    .find(
      (uri) =>
        uri &&
        (kind === undefined || kind === 'file' || mediaTypeOf(contentTypeOf(filenameOf(uri))) === kind),
    );
  if (open) return open;
  throw new Error(
    kind === 'image'
      ? l10n.t('No image is open in an editor. Open one first, or choose a file.')
      : l10n.t('No supported file is open in an editor. Open one first, or choose a file.'),
  );
}
