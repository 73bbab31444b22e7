import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/icon';
import { linkClicked } from '../shared/markdown';
import { tabPanel } from '../shared/tabs';
import { codeTab } from './codeTab';
import { divider } from './divider';
import { earlier } from './earlier';
import { experimentPart } from './experiment';
import { fileConflict } from './fileLine';
import { formTab } from './formTab';
import { contractProblem, header } from './header';
import { jsonTab } from './jsonTab';
import type { RunPage } from './page';
import { replacement } from './replacing';
import { result } from './result';
import { runBar } from './runBar';
import { unattachedFiles } from './unattached';

/** The whole page. */
export function app(page: RunPage): TemplateResult {
  const { work, notice, dragging } = page.state;
  const onClick = (event: Event) => {
    const url = linkClicked(event);
    if (url !== undefined) void page.ask(page.host.call('openLink', { url }));
  };
  return html`<main class="page ${dragging ? 'dragging' : ''} ${page.state.panel?.environment.production ? 'of-production' : ''}" @click=${onClick}
    .style=${`--form-width:${page.state.split}%`}>
    <div class=${dragging ? 'drag-hint' : 'live'} role="status">
      ${dragging ? html`${icon('info')} ${l10n.t('Hold Shift while dropping so that the file goes into this panel.')}` : nothing}
    </div>
    <div class="request">
      ${header(page)}
      <div class="request-body">
      ${contractProblem(page)} ${fileConflict(page)}
      ${
        notice === undefined
          ? nothing
          : html`<div class="banner warning" role="alert">
              ${icon('warning')}
              <div>${notice}</div>
              <button
                type="button"
                class="icon-button"
                title=${l10n.t('Dismiss')}
                aria-label=${l10n.t('Dismiss')}
                @click=${() => page.update({ notice: undefined })}
              >
                ${icon('close')}
              </button>
            </div>`
      }
      ${replacement(page)}
      ${
        work && page.state.contract
          ? tabPanel('request', work.tab, tabContent(page))
          : page.state.contractProblem
            ? nothing
            : html`<div class="busy"><vscode-progress-ring aria-hidden="true"></vscode-progress-ring>${l10n.t('Loading the model…')}</div>`
      }
      ${work && work.tab !== 'code' ? unattachedFiles(page) : nothing}
      ${page.incoming.size > 0 ? html`<div class="quiet" role="status">${l10n.t('Attaching {0}…', [...page.incoming].join(', '))}</div>` : nothing}
      ${experimentPart(page)}
      </div>
      ${runBar(page)}
    </div>
    ${divider(page)}
    <div class="result">${result(page)} ${earlier(page)}</div>
  </main>`;
}

function tabContent(page: RunPage): TemplateResult {
  switch (page.state.work!.tab) {
    case 'form':
      return formTab(page);
    case 'json':
      return jsonTab(page);
    case 'code':
      return codeTab(page);
  }
}
