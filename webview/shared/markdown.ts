import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { until } from 'lit/directives/until.js';

/** The reader of Markdown, a sixth of a page's script, loaded with the first such text. */
let maker: typeof import('./markdownHtml') | undefined;
let loading: Promise<typeof import('./markdownHtml')> | undefined;

/**
 * Markdown from a service or a model as elements, see `markdownHtml`; until that is loaded, its source. VS Code opens
 * the links of a page, and asks before an unknown domain.
 */
export function markdown(text: string | undefined): TemplateResult | typeof nothing {
  if (text === undefined || text.trim() === '') return nothing;
  const asWritten = html`<p>${text}</p>`;
  // Most descriptions are a plain sentence, and reading Markdown takes about a millisecond a kilobyte.
  return html`<div class="markdown">${isPlain(text) ? asWritten : until(maker ? asRead(text, maker) : loaded(text), asWritten)}</div>`;
}

function asRead(text: string, { markdownHtml }: NonNullable<typeof maker>): unknown {
  return unsafeHTML(markdownHtml(text));
}

async function loaded(text: string): Promise<unknown> {
  loading ??= import('./markdownHtml');
  maker = await loading;
  return asRead(text, maker);
}

/** Whether it holds nothing that Markdown could mean something by. */
function isPlain(text: string): boolean {
  return /^\p{L}[\p{L}\p{N} ,;.:'"’%/()?-]*$/u.test(text) && !/:\/\/|www\./i.test(text);
}
