import * as l10n from '@vscode/l10n';
import { html, render } from 'lit';
import { iconButton } from './iconButton';
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
  const go = (to: number) => {
    at = (to + pictures.length) % pictures.length;
    show();
  };
  const show = () => {
    const { src, name } = pictures[at]!;
    render(
      html`<img src=${src} alt=${name} />
        <div class="lightbox-bar">
          ${iconButton('chevron-left', l10n.t('Previous'), () => go(at - 1), { disabled: pictures.length < 2 })}
          <span role="status">${l10n.t('{0} ({1} of {2})', name, at + 1, pictures.length)}</span>
          ${iconButton('chevron-right', l10n.t('Next'), () => go(at + 1), { disabled: pictures.length < 2 })}
          ${iconButton('close', l10n.t('Close'), () => dialog.close())}
        </div>`,
      dialog,
    );
  };
  dialog.addEventListener('keydown', ({ key }) => {
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
