import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { root } from './paths';

/** An artificial language, by a name that BCP 47 keeps for private use. */
export const PSEUDO_LANGUAGE = 'qps-ploc';

/** Parts that a translation copies: placeholders, icons, the addresses of links, and code. */
export const FIXED = /\{\d+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`/g;

const ACCENTS = new Map(
  [...'AÅEËIÏOÖUÜaåeëiïoöuücçnñ'.matchAll(/(.)(.)/gu)].map(([, from, to]) => [from!, to!]),
);

/**
 * A text in that language: readable still, in brackets, with accents, and lengthened like German or French. A text
 * without brackets was never translated, and a clipped one had no room to grow.
 */
export function pseudo(text: string): string {
  return text.split('\n').map(pseudoLine).join('\n');
}

function pseudoLine(line: string): string {
  // In a welcome view, a line that is only a link becomes a button.
  const link = /^\[([^\]]*)\](\([^)]*\))$/.exec(line);
  if (link) return `[${pseudoLine(link[1]!)}]${link[2]}`;
  if (!/\p{L}/u.test(line)) return line;
  const letters = line.replaceAll(FIXED, '').length;
  const kept = [...line.matchAll(FIXED), ''];
  const texts = line
    .split(FIXED)
    .map((one) => [...one].map((letter) => ACCENTS.get(letter) ?? letter).join(''));
  return `⟦${texts.map((one, at) => one + kept[at]).join('')}${' ~~~~'.repeat(Math.ceil(letters / 12))}⟧`;
}

/** Gives the extension installed in this folder its texts in that language. */
export async function installPseudoLanguage(extensions: string): Promise<void> {
  const name = (await readdir(extensions)).find((one) => one.startsWith('model-bench.model-bench-'));
  if (name === undefined) throw new Error(`Model Bench is not installed in ${extensions}.`);
  const folder = path.join(extensions, name);
  for (const file of ['package.nls.json', 'l10n/bundle.l10n.json']) {
    const texts = JSON.parse(await readFile(path.join(root, file), 'utf8')) as Record<string, Text>;
    const own = Object.entries(texts).map(([key, text]): [string, string] => [
      key,
      pseudo(typeof text === 'string' ? text : text.message),
    ]);
    const target = file.replace('.json', `.${PSEUDO_LANGUAGE}.json`);
    await writeFile(path.join(folder, target), JSON.stringify(Object.fromEntries(own)));
  }
}

type Text = string | { readonly message: string };

/**
 * Makes the window one of another display language: VS Code's own texts stay in English, since no language pack is there,
 * and extensions get theirs.
 */
export const displayLanguage = (language: string): string =>
  `Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => ${JSON.stringify(language)}, set() {} });`;

/** The texts that a person reads or hears in a part of a page. */
export interface ReadTexts {
  /** Without brackets around them. */
  readonly plain: readonly string[];
  /** Cut off, with nothing that says so. */
  readonly clipped: readonly string[];
}

/** Reads the visible texts of a page, or of the element that `selector` finds there. */
export function readTexts(page: Page | Frame | Locator): Promise<ReadTexts> {
  const read = 'evaluateAll' in page ? page : page.locator('body');
  return read.first().evaluate<ReadTexts, string>((root, script) => new Function('root', script)(root), READ);
}

// As a text: the test runner wraps named functions in a helper that pages do not have.
const READ = `
  const plain = [], clipped = [];
  const ATTRIBUTES = ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'placeholder', 'alt'];
  const isOutside = (text, depth) => {
    let outside = '';
    for (const letter of text) {
      if (letter === '⟧') depth--;
      else if (letter === '⟦') depth++;
      else if (depth <= 0) outside += letter;
    }
    return [outside.trim(), Math.max(depth, 0)];
  };
  let depth = 0;
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const [outside, after] = isOutside(node.data, depth);
      depth = after;
      if (outside !== '') plain.push(outside);
      return;
    }
    if (!(node instanceof Element)) return;
    if (/^(?:script|style|template|svg|pre|code)$/i.test(node.localName) || !node.checkVisibility({ visibilityProperty: true })) return;
    for (const name of ATTRIBUTES) {
      const [outside] = isOutside(node.getAttribute(name) ?? '', 0);
      if (outside !== '') plain.push(outside);
    }
    const style = getComputedStyle(node);
    // Three dots say that there is more, where anything but them is left.
    const isSaid = style.textOverflow === 'ellipsis' && node.clientWidth > 30;
    const hides = /hidden|clip/.test(style.overflowX) && !isSaid;
    const hasText = [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim() !== '');
    const isForEars = node.clientWidth <= 1 || node.clientHeight <= 1;
    if (hides && hasText && !isForEars && node.scrollWidth > node.clientWidth + 1) clipped.push(node.textContent.trim());
    for (const child of (node.shadowRoot ?? node).childNodes) visit(child);
    if (node.shadowRoot) for (const child of node.childNodes) visit(child);
  };
  visit(root);
  const scroller = root.ownerDocument.scrollingElement;
  if (root === root.ownerDocument.body && scroller.scrollWidth > scroller.clientWidth + 1)
    clipped.push('the page itself, which scrolls sideways by ' + (scroller.scrollWidth - scroller.clientWidth) + ' pixels');
  return { plain: [...new Set(plain)], clipped: [...new Set(clipped)] };
`;
