import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { loggedError } from '../domain/loggedError';
import { logLine } from '../domain/logLine';
import type { Modality } from '../domain/modality';
import { Channel, type Handlers, type Methods } from '../protocol/channel';
import type { Log } from '../vscode/log';
import { isCancelled, messageOf } from '../vscode/showError';
import { loadedTranslations } from '../vscode/translations';
import { plainLine } from '../wording/plainText';
import { type PageName, pageHtml } from './pageHtml';

/** The parts that a feature gives to a page of its own. */
type PageIcon = 'run' | 'search' | 'usage' | 'compare' | Modality;

export interface PageOptions<Ours extends Methods, Theirs extends Methods> {
  readonly name: PageName;
  readonly title: string;
  /** Of its tab; missing: it has the icon of its file. */
  readonly icon?: PageIcon;
  /** The host's methods. */
  readonly ours: Ours;
  readonly handlers: Handlers<Ours>;
  /** Methods of the page. */
  readonly theirs: Theirs;
  /** Folders with the files that the page shows (thumbnails, media), besides those of the workspace; missing: none at all. */
  readonly folders?: readonly vscode.Uri[];
  /** The page's first call: sent while its script still loads. */
  readonly firstCall?: object;
}

interface Host {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
}

/** Shows a page in a panel. The caller owns the returned channel to it. */
export function openPage<Ours extends Methods, Theirs extends Methods>(
  panel: vscode.WebviewPanel,
  { context: { extensionUri }, log }: Host,
  options: PageOptions<Ours, Theirs>,
): Channel<Ours, Theirs> {
  const { name, title, folders } = options;
  const workspace = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const { webview } = panel;
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = {
    enableScripts: true,
    localResourceRoots: folders ? [root, ...folders, ...workspace] : [root],
    // A page without its extension host offers it. Links of services have addresses of the web alone.
    enableCommandUris: ['workbench.action.reloadWindow'],
  };
  panel.title = plainLine(title);
  if (options.icon) panel.iconPath = pageIcon(extensionUri, options.icon);
  const channel = new Channel(endpointOf(webview), options.ours, options.theirs, options.handlers, {
    describe: (error) => {
      if (!isCancelled(error)) log.error(loggedError(error));
      return messageOf(error);
    },
    onBadMessage: (why) => log.warn(logLine`Page ${name}: ${why}`),
  });
  webview.html = pageHtml({
    name,
    title,
    language: vscode.env.language,
    translations: loadedTranslations(),
    origin: webview.cspSource,
    address: (file) => webview.asWebviewUri(vscode.Uri.joinPath(root, file)).toString(),
    chunks: chunksOf(name, root),
    firstCall: options.firstCall,
  });
  return channel;
}

/** Where a page loads a file from; undefined for one outside the folders that it may read. */
export function addressFor(webview: vscode.Webview, uri: vscode.Uri): string | undefined {
  const readable = (webview.options.localResourceRoots ?? []).some(
    (root) =>
      root.scheme === uri.scheme &&
      root.authority === uri.authority &&
      uri.path.startsWith(root.path.endsWith('/') ? root.path : `${root.path}/`),
  );
  return readable ? webview.asWebviewUri(uri).toString() : undefined;
}

function endpointOf(webview: vscode.Webview) {
  return {
    post: (message: unknown) => void webview.postMessage(message),
    listen(listener: (message: unknown) => void) {
      const listening = webview.onDidReceiveMessage(listener);
      return () => listening.dispose();
    },
  };
}

/**
 * The icon of a panel's tab for light and dark themes. (A ThemeIcon would follow the theme by itself, but the oldest
 * supported VS Code shows none there.)
 */
function pageIcon(extensionUri: vscode.Uri, icon: PageIcon) {
  const file = (theme: string) =>
    vscode.Uri.joinPath(extensionUri, 'media', 'panels', `${icon}-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}

/** The imports of the page's script, from the build's list. */
function chunksOf(name: PageName, root: vscode.Uri): readonly string[] {
  const list = readFileSync(vscode.Uri.joinPath(root, 'chunks.json').fsPath, 'utf8');
  const chunks = JSON.parse(list) as Readonly<Record<PageName, readonly string[]>>;
  return chunks[name];
}
