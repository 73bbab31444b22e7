import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Shape, ShownContract } from '../../src/domain/model';
import { iconButton, toolButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import { markdown } from '../shared/markdown';
import { place } from '../shared/place';
import type { RunPage } from './page';

const ID = 'about-model';

/** The facts of a model that are needed once: its description, its ID, and the source of its schema. */
export function aboutModel(page: RunPage, { slug, description, version }: ShownContract): TemplateResult {
  const { mode } = page;
  const label = l10n.t('About This Model');
  const onToggle = (event: Event) => {
    const button = document.querySelector<HTMLElement>(`[popovertarget=${ID}]`);
    if (button && (event as ToggleEvent).newState === 'open') place(event.target as HTMLElement, button);
  };
  return html`<button type="button" class="icon-button" popovertarget=${ID} title=${label} aria-label=${label}
      >${icon('info')}</button
    >
    <div popover class="popover about" id=${ID} role="dialog" aria-label=${label} @toggle=${onToggle}>
      ${markdown(description)}
      ${mode?.description ? html`<h2>${mode.title ?? mode.name}</h2>${markdown(mode.description)}` : nothing}
      <dl class="facts">
        <dt>${l10n.t('ID')}</dt>
        <dd class="line">
          <code>${slug}</code>
          ${iconButton('copy', l10n.t('Copy ID'), () => page.ask(page.host.call('copyText', { text: slug })))}
        </dd>
        ${version === undefined ? nothing : html`<dt>${l10n.t('Version')}</dt><dd>${version}</dd>`}
        <dt>${l10n.t('Schema')}</dt>
        <dd class="line wraps">${places(page)}</dd>
      </dl>
      ${otherSchema(page)}
    </div>`;
}

/** Places of the contract where the form's schemas were found, each with the way to it. */
function places(page: RunPage): unknown {
  const { mode } = page;
  const chosen = [mode?.input, mode?.params].flatMap((shape) => (shape ? shapePlace(page, shape) : []));
  return chosen.length > 0 ? chosen : l10n.t('none published');
}

export function otherSchema(page: RunPage): TemplateResult {
  const choose = () => {
    document.getElementById(ID)?.hidePopover();
    void page.ask(page.host.call('useAnotherSchema', { mode: page.mode?.name ?? '' }));
  };
  return toolButton('json', l10n.t('Use Another Schema…'), choose);
}

function shapePlace(page: RunPage, { at, chosen }: Shape): TemplateResult[] {
  if (chosen === 'pasted') return [html`<span>${l10n.t('pasted by you')}</span>`];
  if (at === undefined) return [];
  const show = () => page.ask(page.host.call('showSource', { at }));
  const title =
    chosen === 'place'
      ? l10n.t('Chosen by you. Show in the raw response')
      : l10n.t('Found here. Show in the raw response');
  return [
    html`<button type="button" class="text-button clip ends" title=${title} @click=${show}>
      <bdi>${at === '' ? l10n.t('the whole response') : at}</bdi>
    </button>`,
  ];
}
