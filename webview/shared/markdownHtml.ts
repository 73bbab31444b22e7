import * as l10n from '@vscode/l10n';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Enough for every description of a form; the texts of results would only use memory. */
const KEPT = 200;
const made = new Map<string, string>();

/** The page's policy for HTML that is no template: it can make only the HTML of Markdown. */
const maker = trustedTypes.createPolicy('markdown', {
  createHTML: (text) => micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
});

/**
 * Markdown as HTML that a template may contain. micromark shows markup in it as text and drops addresses of other
 * schemes than the web's; pictures become links, because a page reaches no network.
 */
export function markdownHtml(text: string): string {
  const known = made.get(text);
  if (known !== undefined) return known;
  const template = document.createElement('template');
  template.innerHTML = maker.createHTML(text);
  const { content } = template;
  for (const picture of content.querySelectorAll('img')) {
    const link = document.createElement('a');
    link.href = picture.getAttribute('src') ?? '';
    link.textContent = picture.alt === '' ? l10n.t('Picture') : l10n.t('Picture: {0}', picture.alt);
    picture.replaceWith(link);
  }
  // Headings are below the panel's own; identifiers and labels of footnotes must not meet the page's.
  for (const heading of content.querySelectorAll('h1, h2, h3')) {
    const lower = document.createElement('h4');
    lower.className = `mb-${heading.tagName.toLowerCase()}`;
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  for (const named of content.querySelectorAll('[id]')) named.removeAttribute('id');
  if (made.size >= KEPT) made.clear();
  made.set(text, template.innerHTML);
  return template.innerHTML;
}
