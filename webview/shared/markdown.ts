import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { until } from 'lit/directives/until.js';
import { laidOutInTime, shownAtOnce } from './layoutTime';

/** The reader of Markdown, a sixth of a page's script, loaded with the first such text. */
let maker: typeof import('./markdownHtml') | undefined;
let loading: Promise<typeof import('./markdownHtml')> | undefined;

/**
 * Markdown from a service or a model as elements, see `markdownHtml`; until those are made, and where that takes too
 * long, its source, as far as that is laid out in time. VS Code opens the links of a page, and asks before an unknown domain.
 */
export function markdown(text: string | undefined): TemplateResult | typeof nothing {
  if (text === undefined || text.trim() === '') return nothing;
  const beginning = shownAtOnce(text);
  const asWritten = html`<p>${beginning}</p>`;
  // Most descriptions are a plain sentence, which needs no thread.
  if (beginning === text && isPlain(text)) return html`<div class="markdown">${asWritten}</div>`;
  const known = maker?.knownHtml(text);
  const shown = known === undefined ? until(made(text), asWritten) : unsafeHTML(known);
  return html`<div class="markdown">${shown}</div>`;
}

async function made(text: string): Promise<unknown> {
  const shown = await laidOutInTime(text);
  if (shown !== text) return html`<p>${shown}…</p>`;
  loading ??= import('./markdownHtml');
  maker = await loading;
  const known = await maker.markdownHtml(text);
  return known === undefined ? html`<p>${text}</p>` : unsafeHTML(known);
}

/** Whether it holds nothing that Markdown could mean something by. */
function isPlain(text: string): boolean {
  // An underscore inside a word is one.
  const plain = /^\p{L}(?:[\p{L}\p{N} ,;.:'"’%/()?-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))*$/u;
  return plain.test(text) && !/:\/\/|www\./i.test(text);
}
