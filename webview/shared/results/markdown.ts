import * as l10n from '@vscode/l10n';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/**
 * Markdown as elements. Markup inside it stays text (micromark writes no HTML of others unless told to), and
 * addresses with other schemes than the web's are dropped. Pictures become links: the page loads nothing.
 */
export function markdownFragment(text: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  for (const picture of template.content.querySelectorAll('img')) {
    const link = document.createElement('a');
    link.href = picture.getAttribute('src') ?? '';
    link.textContent = picture.alt === '' ? l10n.t('Picture') : l10n.t('Picture: {0}', picture.alt);
    picture.replaceWith(link);
  }
  // A model's headings stand below the panel's own; its identifiers (footnotes) must not meet the page's.
  for (const heading of template.content.querySelectorAll('h1, h2, h3')) {
    const lower = document.createElement('h4');
    lower.className = `mb-${heading.tagName.toLowerCase()}`;
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  for (const named of template.content.querySelectorAll('[id]')) named.removeAttribute('id');
  return template.content;
}
