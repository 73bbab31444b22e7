import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';

/** The bundles in dist/webview, one a page. */
export type Page = 'run' | 'search' | 'usage';

/** Where every page loads its bundle from; a feature adds what it shows besides (workspace folders for thumbnails). */
export function pageRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** The hash of nothing: the toolkit adds an empty style element, without a nonce, and fills it by script. */
const EMPTY_STYLE = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/**
 * The HTML of a page. It may run only its own script and reach no network: remote media comes through the host.
 * `blob:` and `data:` serve previews of pasted files and of media that the host fetched. A page finds its nonce
 * (for libraries that make style elements) in the `csp-nonce` meta element and its translations in `#l10n`.
 *
 * @param firstCall what the page asks for before anything else (`readyCall` of src/protocol/channel.ts); it is asked
 *   while the page's script still loads
 */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: Page,
  title: string,
  firstCall?: object,
): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(pageRoot(extensionUri), name)).toString();
  const csp = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${webview.cspSource}`,
    `style-src 'nonce-${nonce}' '${EMPTY_STYLE}' ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} blob: data:`,
    `media-src ${webview.cspSource} blob: data:`,
  ].join('; ');
  const preloads = chunksOf(page, extensionUri).map(
    (chunk) => `<link rel="modulepreload" href="${file(chunk)}">`,
  );
  const translations = JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csp-nonce" property="csp-nonce" content="${nonce}">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${file(`${page}.css`)}">
<link rel="modulepreload" href="${file(`${page}.js`)}">
${preloads.join('\n')}
<script type="application/json" id="l10n">${translations}</script>
</head>
<body>${firstCall ? askingScript(firstCall, nonce) : ''}
<script nonce="${nonce}" type="module" src="${file(`${page}.js`)}"></script>
</body>
</html>`;
}

/**
 * Asks while the page's script still loads: the response is then there before it. What comes meanwhile is kept for
 * webview/shared/host.ts.
 */
function askingScript(call: object, nonce: string): string {
  return `<script nonce="${nonce}">
window.asked = { api: acquireVsCodeApi(), heard: [], hear: ({ data }) => asked.heard.push(data) };
addEventListener('message', asked.hear);
asked.api.postMessage(${JSON.stringify(call)});
</script>`;
}

/** What the page's script imports, as the build has listed it. */
function chunksOf(page: Page, extensionUri: vscode.Uri): readonly string[] {
  const list = vscode.Uri.joinPath(pageRoot(extensionUri), 'chunks.json').fsPath;
  const chunks = JSON.parse(readFileSync(list, 'utf8')) as Readonly<Record<Page, readonly string[]>>;
  return chunks[page];
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
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
