import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { type CodeLanguage, codeTokens } from './codeTokens';

/** A longer text is not colored: a page would stall over its elements. */
const MOST_COLORED = 40_000;

/** Code that is read, in the colors of the JSON editor. */
export function codeBlock(text: string, language: CodeLanguage, name?: string): TemplateResult {
  const pieces = text.length > MOST_COLORED ? text : codeTokens(text, language).map(piece);
  return html`<pre class="code-block" tabindex="0" role=${ifDefined(name && 'region')} aria-label=${ifDefined(name)}>${pieces}</pre>`;
}

function piece({ kind, text }: ReturnType<typeof codeTokens>[number]): unknown {
  return kind ? html`<span class="token-${kind}">${text}</span>` : text;
}
