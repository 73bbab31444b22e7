import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/**
 * Markdown from a service as elements. micromark shows markup in it as text and drops dangerous addresses; pictures
 * are left out because a page reaches no network. Links are opened by the host, see `linkClicked`.
 */
export function markdown(text: string | undefined): TemplateResult | typeof nothing {
  if (text === undefined || text.trim() === '') return nothing;
  return html`<div class="markdown">${unsafeHTML(markdownHtml(text))}</div>`;
}

const made = new Map<string, string>();

function markdownHtml(text: string): string {
  const known = made.get(text);
  if (known !== undefined) return known;
  const raw = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const parsed = new DOMParser().parseFromString(raw, 'text/html');
  for (const picture of parsed.querySelectorAll('img')) {
    picture.replaceWith(parsed.createTextNode(picture.alt === '' ? picture.src : picture.alt));
  }
  // Ids and labels of footnotes would meet those of the page.
  for (const named of parsed.querySelectorAll('[id]')) named.removeAttribute('id');
  const safe = parsed.body.innerHTML;
  made.set(text, safe);
  return safe;
}

/** The address of a link that was clicked, if it was one; the click then goes no further. */
export function linkClicked(event: Event): string | undefined {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  const address = link?.getAttribute('href');
  if (!address) return undefined;
  event.preventDefault();
  return address;
}
