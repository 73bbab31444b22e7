import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../src/wording/number';
import { codeBlock } from '../shared/codeBlock';
import { errorMessage } from '../shared/errorMessage';
import type { RunPage } from './page';

/** Enough to read; more would only make the page slow, and the editor shows the whole. */
const SHOWN_CHARS = 200_000;

/** The beginning of a response's text, fetched when it is first looked at. */
export class ResponseText {
  #text: string | undefined;
  #failed: string | undefined;
  #asked = false;

  constructor(
    private readonly page: RunPage,
    private readonly chars: number,
    private readonly isJson: boolean,
  ) {}

  template(): TemplateResult {
    if (!this.#asked) void this.#fetch();
    if (this.#failed !== undefined) return html`<p class="quiet">${this.#failed}</p>`;
    if (this.#text === undefined) return html`<p class="quiet">${l10n.t('Loading…')}</p>`;
    const cut = this.chars > SHOWN_CHARS;
    return html`${this.isJson ? codeBlock(this.#text, 'json') : html`<pre class="code-block" tabindex="0">${this.#text}</pre>`}
      ${cut ? html`<p class="quiet">${l10n.t('The first {0} of {1} characters. Use Open in Editor for the full text.', formatNumber(SHOWN_CHARS), formatNumber(this.chars))}</p>` : nothing}`;
  }

  async #fetch(): Promise<void> {
    this.#asked = true;
    try {
      this.#text = (await this.page.host.call('readBody', { from: 0, to: SHOWN_CHARS })).text;
    } catch (error) {
      this.#failed = errorMessage(error);
    }
    this.page.update();
  }
}
