import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { until } from 'lit/directives/until.js';

/** The reader of Markdown, a sixth of a page's script, loaded with the first such text. */
let maker: typeof import('./markdownHtml') | undefined;
let loading: Promise<typeof import('./markdownHtml')> | undefined;

/**
 * Markdown from a service or a model as elements, see `markdownHtml`; until those are made, and where that takes too
 * long, its source. VS Code opens the links of a page, and asks before an unknown domain.
 */
export function markdown(text: string | undefined): TemplateResult | typeof nothing {
  if (text === undefined || text.trim() === '') return nothing;
  const asWritten = html`<p>${text}</p>`;
  // Most descriptions are a plain sentence, which needs no thread.
  if (isPlain(text)) return html`<div class="markdown">${asWritten}</div>`;
  const known = maker?.knownHtml(text);
  const shown = known === undefined ? until(made(text, asWritten), asWritten) : unsafeHTML(known);
  return html`<div class="markdown">${shown}</div>`;
}

async function made(text: string, asWritten: TemplateResult): Promise<unknown> {
  loading ??= import('./markdownHtml');
  maker = await loading;
  const known = await maker.markdownHtml(text);
  return known === undefined ? asWritten : unsafeHTML(known);
}

/** Whether it holds nothing that Markdown could mean something by. */
function isPlain(text: string): boolean {
  // An underscore inside a word is one.
  const plain = /^\p{L}(?:[\p{L}\p{N} ,;.:'"’%/()?-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))*$/u;
  return plain.test(text) && !/:\/\/|www\./i.test(text);
}
