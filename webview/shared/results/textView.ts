import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { PartOf } from '../../../src/results/resultView';
import { formatNumber } from '../../../src/wording/number';
import { define, ResultElement, resultButton } from '../element';
import { laidOutInTime, shownAtOnce } from '../layoutTime';
import { markdown } from '../markdown';

/** Text from a model; as Markdown if it looks like it, which a button switches. */
class TextView extends ResultElement<PartOf<'text'>> {
  static override properties = {
    plain: { state: true },
    text: { state: true },
  };
  declare plain: boolean;
  /** The beginning of the text that is laid out in time. */
  declare text: string;

  protected reset(): void {
    const { shows: part } = this;
    this.plain = false;
    this.text = shownAtOnce(part.text);
    if (this.text !== part.text)
      void laidOutInTime(part.text).then((text) => {
        if (this.shows === part) this.text = text;
      });
  }

  protected override render() {
    const { shows: part, text } = this;
    const asMarkdown = part.markdown && !this.plain;
    return html`${
      asMarkdown
        ? html`<div class="mb-markdown">${markdown(part.text)}</div>`
        : html`<pre class="mb-text" tabindex="0">${text}</pre>`
    }
      <p class="mb-tools line wraps">
        ${part.characters > text.length ? html`<span class="mb-note">${l10n.t('The first {0} of {1} characters.', formatNumber(text.length), formatNumber(part.characters))}</span>` : nothing}
        ${resultButton(l10n.t('Copy'), () => this.actions.copyValue(this.pointer))}
        ${resultButton(l10n.t('Open in Editor'), () => this.actions.openValue(this.pointer))}
        ${
          part.markdown
            ? html`${resultButton(asMarkdown ? l10n.t('Show as Text') : l10n.t('Show as Markdown'), () => this.#toggle())}`
            : nothing
        }
      </p>`;
  }

  #toggle() {
    this.plain = !this.plain;
  }
}

define('mb-text', TextView);
