import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SearchHit } from '../../src/protocol/search';
import { visibleText } from '../../src/wording/plainText';
import { iconButton } from '../shared/buttons';
import '../shared/lightbox.css';
import { scoreText } from '../shared/scoreText';
import type { SearchPage } from './page';

/** A hit as large as the page, beside the picture that was searched with; arrow keys go to the other hits. */
export function comparison(page: SearchPage): TemplateResult | typeof nothing {
  const { compared, search } = page.state;
  if (!compared || !search) return nothing;
  const pictures = page.pictures;
  const at = pictures.findIndex(({ id }) => id === compared.id);
  const go = (step: number) => {
    const next = pictures[(at + step + pictures.length) % pictures.length];
    if (next) page.update({ compared: next });
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') go(1);
    else if (key === 'ArrowLeft') go(-1);
  };
  const { query } = search;
  const queryPicture = query?.kind === 'file' && query.src !== undefined ? query : undefined;
  const place = l10n.t('{0} of {1}', at + 1, pictures.length);
  const isOne = pictures.length < 2;
  return html`<dialog
    class="lightbox"
    aria-label=${queryPicture ? l10n.t('Query and hit') : l10n.t('Hit')}
    @keydown=${onKey}
    @close=${() => page.update({ compared: undefined })}
  >
    <div class="pair">
      ${
        queryPicture
          ? html`<figure>
              <img src=${queryPicture.src!} alt=${l10n.t('Query: {0}', queryPicture.name)} />
              <figcaption>${l10n.t('Query: {0}', queryPicture.name)}</figcaption>
            </figure>`
          : nothing
      }
      <figure>
        <img src=${compared.thumbnail ?? ''} alt=${l10n.t('Hit: {0}', visibleText(compared.id))} />
        <figcaption><span role="status">${caption(compared)} · ${place}</span></figcaption>
      </figure>
    </div>
    <div class="lightbox-bar">
      ${iconButton('chevron-left', l10n.t('Previous'), () => go(-1), { disabled: isOne })}
      ${iconButton('chevron-right', l10n.t('Next'), () => go(1), { disabled: isOne })}
      <form method="dialog">
        <button class="icon-button" type="submit" title=${l10n.t('Close')} aria-label=${l10n.t('Close')} autofocus>
          <span class="codicon codicon-close" aria-hidden="true"></span>
        </button>
      </form>
    </div>
  </dialog>`;
}

function caption({ path, id, score }: SearchHit): string {
  return [visibleText(path ?? id), ...(score === undefined ? [] : [scoreText(score)])].join(' · ');
}

/** To be called after rendering: a dialog can be shown only once it is in the document. */
export function openComparison(root: ParentNode): void {
  root.querySelector<HTMLDialogElement>('dialog:not([open])')?.showModal();
}
