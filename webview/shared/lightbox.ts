import * as l10n from '@vscode/l10n';
import { html, render, type TemplateResult } from 'lit';
import { iconButton } from './buttons';
import { slider } from './controls';
import './swipe.css';
import './lightbox.css';

interface Picture {
  readonly src: string;
  readonly name: string;
}

/**
 * Shows one of several pictures as large as the page; arrow keys go to the others, Escape closes.
 * @param beside a picture that stays beside each of them; without it, one can be compared with the next
 * @param share compares at once: how much of the first picture is in sight, in percent
 */
export function openLightbox(
  pictures: readonly Picture[],
  first: number,
  { beside, share }: { readonly beside?: Picture | undefined; share?: number | undefined } = {},
): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'lightbox';
  dialog.ariaLabel = beside ? l10n.t('Query and hit') : l10n.t('Picture');
  let at = first;
  const go = (to: number) => {
    at = (to + pictures.length) % pictures.length;
    show();
  };
  const compare = (next: number | undefined) => {
    share = next;
    show();
  };
  const shown = (picture: Picture) => {
    if (share !== undefined) return swipe(picture, pictures[(at + 1) % pictures.length]!, share, compare);
    return beside
      ? html`<div class="pair">${[beside, picture].map(captioned)}</div>`
      : html`<img src=${picture.src} alt=${picture.name} />`;
  };
  const show = () => {
    const picture = pictures[at]!;
    const isAlone = { disabled: pictures.length < 2 };
    render(
      html`${shown(picture)}
        <div class="lightbox-bar line">
          ${iconButton('chevron-left', l10n.t('Previous'), () => go(at - 1), isAlone)}
          <span role="status">${l10n.t('{0} ({1} of {2})', picture.name, at + 1, pictures.length)}</span>
          ${iconButton('chevron-right', l10n.t('Next'), () => go(at + 1), isAlone)}
          ${
            share !== undefined
              ? iconButton('screen-normal', l10n.t('Show One Picture'), () => compare(undefined))
              : iconButton('split-horizontal', l10n.t('Compare with the Next'), () => compare(50), isAlone)
          }
          ${iconButton('close', l10n.t('Close'), () => dialog.close())}
        </div>`,
      dialog,
    );
  };
  dialog.addEventListener('keydown', ({ key, target }) => {
    // In the slider, arrow keys move the line.
    if (target instanceof HTMLInputElement) return;
    if (key === 'ArrowRight') go(at + 1);
    else if (key === 'ArrowLeft') go(at - 1);
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  show();
  (document.querySelector('main') ?? document.body).append(dialog);
  dialog.showModal();
}

function captioned({ src, name }: Picture): TemplateResult {
  return html`<figure><img src=${src} alt=${name} /><figcaption>${name}</figcaption></figure>`;
}

/** Two pictures in one place with a line that is moved over them. @param share of the first one in sight, in percent */
function swipe(
  first: Picture,
  second: Picture,
  share: number,
  move: (share: number) => void,
): TemplateResult {
  return html`<div class="stacked">
      <img src=${second.src} alt=${second.name} />
      <img src=${first.src} alt=${first.name} .style=${`clip-path: inset(0 ${100 - share}% 0 0)`} />
    </div>
    <label class="swipe-line line"
      >${first.name}
      ${slider(share, move, { max: 100, name: l10n.t('How much of the first picture is shown') })}
      ${second.name}</label
    >`;
}
