import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { progressRing } from '../shared/choices';
import { icon } from '../shared/icon';
import { tabPanel } from '../shared/tabs';
import { codeTab } from './codeTab';
import { earlier } from './earlier';
import { fileConflict } from './fileLine';
import { formTab } from './formTab';
import { contractProblem, header } from './header';
import { jsonTab } from './jsonTab';
import type { RunPage } from './page';
import { replacement } from './replacing';
import { result } from './result';
import { runBar } from './runBar';
import { LEAST_SPLIT } from './state';
import { unattachedFiles } from './unattached';

/** The whole page. */
export function app(page: RunPage): TemplateResult {
  const { work, notice, dragging } = page.state;
  return html`<main class="page ${dragging ? 'dragging' : ''} ${page.state.panel?.environment.production ? 'of-production' : ''}"
    .style=${`--form-width:${page.state.split}%`}>
    <div class=${dragging ? 'banner drag-hint' : 'live'} role="status">
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
            : html`<div class="busy line" role="status">${progressRing()}${l10n.t('Loading the model…')}</div>`
      }
      ${work && work.tab !== 'code' ? unattachedFiles(page) : nothing}
      ${page.incoming.size > 0 ? html`<div class="quiet" role="status">${l10n.t('Attaching {0}…', [...page.incoming].join(', '))}</div>` : nothing}
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

/** Percent that an arrow key moves it. */
const STEP = 5;

/** Between form and result: dragged, or moved by the arrow keys; a double click puts it back into the middle. */
function divider(page: RunPage): TemplateResult {
  const { split } = page.state;
  const onKey = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      ArrowLeft: split - STEP,
      ArrowRight: split + STEP,
      Home: LEAST_SPLIT,
      End: 100 - LEAST_SPLIT,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    page.resize(next);
  };
  const onPointer = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    if (event.type === 'pointerdown') bar.setPointerCapture(event.pointerId);
    else if (bar.hasPointerCapture(event.pointerId)) page.resize((event.clientX / window.innerWidth) * 100);
  };
  return html`<div
    class="divider"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label=${l10n.t('Width of the Form')}
    aria-valuenow=${Math.round(split)}
    aria-valuemin=${LEAST_SPLIT}
    aria-valuemax=${100 - LEAST_SPLIT}
    @keydown=${onKey}
    @pointerdown=${onPointer}
    @pointermove=${onPointer}
    @dblclick=${() => page.resize(50)}
  ></div>`;
}
