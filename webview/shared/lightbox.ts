import * as l10n from '@vscode/l10n';
import { html, render } from 'lit';
import { iconButton } from './buttons';
import { swipe } from './swipe';
import './lightbox.css';

interface Picture {
  readonly src: string;
  readonly name: string;
}

/** Shows one of several pictures as large as the page; arrow keys go to the others, Escape closes. */
export function openLightbox(pictures: readonly Picture[], first: number): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'lightbox';
  dialog.ariaLabel = l10n.t('Picture');
  let at = first;
  /** While the picture is compared with the next one: how much of it is in sight, in percent. */
  let share: number | undefined;
  const go = (to: number) => {
    at = (to + pictures.length) % pictures.length;
    show();
  };
  const show = () => {
    const picture = pictures[at]!;
    const { src, name } = picture;
    const isAlone = { disabled: pictures.length < 2 };
    const compare = (next: number | undefined) => {
      share = next;
      show();
    };
    const isCompared = share !== undefined;
    render(
      html`${isCompared ? swipe(picture, pictures[(at + 1) % pictures.length]!, share!, compare) : html`<img src=${src} alt=${name} />`}
        <div class="lightbox-bar">
          ${iconButton('chevron-left', l10n.t('Previous'), () => go(at - 1), isAlone)}
          <span role="status">${l10n.t('{0} ({1} of {2})', name, at + 1, pictures.length)}</span>
          ${iconButton('chevron-right', l10n.t('Next'), () => go(at + 1), isAlone)}
          ${
            isCompared
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
