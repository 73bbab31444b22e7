import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { slider } from './controls';
import './swipe.css';

interface Side {
  readonly src: string;
  readonly name: string;
}

/** Two pictures in one place with a line that is moved over them. @param share of the first one in sight, in percent */
export function swipe(
  first: Side,
  second: Side,
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
