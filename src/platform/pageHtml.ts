import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../wording/escapeHtml';

/** A page, which is a bundle in dist/webview. For a new one see CONTRIBUTING.md, “Add …”. */
export type PageName = 'compare' | 'experiment' | 'run' | 'search' | 'usage';

/** The parts of a page's HTML, without VS Code: tests open the same page in a plain browser. */
export interface PageParts {
  readonly name: PageName;
  readonly title: string;
  readonly language: string;
  /** From the source text to the translated one. */
  readonly translations?: object;
  /** The source of the page's files, as the content security policy names it. */
  readonly origin: string;
  /** The address of a file of the bundle. */
  readonly address: (file: string) => string;
  /** Files that the page's script imports, as the build listed them. */
  readonly chunks: readonly string[];
  /** The page's first call (`readyCall` of src/protocol/channel.ts): sent while its script still loads. */
  readonly firstCall?: object;
}

/** The hash of nothing: the toolkit adds an empty style element, without a nonce, and fills it by script. */
const EMPTY_STYLE = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** Who may make HTML of strings: lit and the toolkit of their own templates, and `webview/shared/markdownHtml.ts`. */
const HTML_MAKERS = ['lit-html', 'fast-html', 'markdown'];

/**
 * The HTML of a page. It may run only the script that this HTML names and that script's imports (they inherit its
 * nonce, which scripts of the page's own folder do not), make HTML only through `HTML_MAKERS`, and reach no network:
 * remote media comes through the host. Its workers have the same policy. `blob:` and `data:` serve previews of pasted files and of media that the host
 * fetched. A page finds the nonce of style elements, which is not that of scripts, in the `csp-nonce` meta element,
 * and its translations in `#l10n`.
 */
export function pageHtml(parts: PageParts): string {
  const { name, title, language, origin, address, chunks, firstCall } = parts;
  const [nonce, styleNonce] = [newNonce(), newNonce()];
  const csp = [
    "default-src 'none'",
    // Not covered by default-src.
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${HTML_MAKERS.join(' ')}`,
    `script-src 'nonce-${nonce}'`,
    // Of a text that the page has: see webview/shared/markdownHtml.ts.
    'worker-src blob:',
    `style-src 'nonce-${styleNonce}' '${EMPTY_STYLE}'`,
    `font-src ${origin}`,
    `img-src ${origin} blob: data:`,
    `media-src ${origin} blob: data:`,
  ].join('; ');
  const styles = ['theme.css', `${name}.css`].map(
    (file) => `<link rel="stylesheet" nonce="${styleNonce}" href="${address(file)}">`,
  );
  const preloads = [`${name}.js`, ...chunks].map(
    (file) => `<link rel="modulepreload" nonce="${nonce}" href="${address(file)}">`,
  );
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csp-nonce" property="csp-nonce" content="${styleNonce}">
<title>${escapeHtml(title)}</title>
${firstCall ? firstCallScript(firstCall, nonce) : ''}
${styles.join('\n')}
${preloads.join('\n')}
<script type="application/json" id="l10n">${inScript(parts.translations ?? {})}</script>
</head>
<body>
${startScript(address(`${name}.js`), nonce)}
</body>
</html>`;
}

/**
 * Runs the page's script once its style and its icons are there, so that nothing moves after the first paint. A script with a `src` would do that too, but VS Code gives a page its
 * messages, and shows it, only when it has loaded, and such a script is waited for.
 */
function startScript(address: string, nonce: string): string {
  return `<script nonce="${nonce}">{
const loaded = (style) => style.sheet || new Promise((end) => { style.onload = style.onerror = end; });
const run = () => import(${inScript(address)});
const start = () => document.fonts.load('16px codicon').then(run, run);
Promise.all([...document.querySelectorAll('link[rel=stylesheet]')].map(loaded)).then(start);
}</script>`;
}

/**
 * Sends the first call while the page's script still loads: the response then arrives before it. Messages received
 * meanwhile are kept for webview/shared/host.ts. Before the style: a script after that waits for it.
 */
function firstCallScript(call: object, nonce: string): string {
  return `<script nonce="${nonce}">
window.asked = { api: acquireVsCodeApi(), heard: [], hear: ({ data }) => asked.heard.push(data) };
addEventListener('message', asked.hear);
asked.api.postMessage(${inScript(call)});
</script>`;
}

/** JSON that ends no script element. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function newNonce(): string {
  return randomBytes(16).toString('base64');
}
