import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { assertNever } from '../../src/domain/assertNever';
import type { TableHead, TableProgress } from '../../src/protocol/experiment';
import { formatNumber } from '../../src/wording/number';
import { textButton } from '../shared/buttons';
import type { ExperimentPage } from './page';

/** The actions of the whole experiment. Every button with a possible cost asks first, in VS Code. */
export function toolbar(page: ExperimentPage, { progress }: TableHead): TemplateResult {
  const { host } = page;
  return html`<span class="spring"></span>
    <span class=${progress.text === undefined ? 'live' : 'quiet'} role="status">${progress.text ?? finishedText(progress)}</span>
    ${runButtons(page, progress)}
    ${textButton(l10n.t('Set Up'), () => page.showSetUp())}
    ${textButton(l10n.t('Open as Text'), () => page.ask(host.call('reopenAsText', null)))}`;
}

function runButtons(page: ExperimentPage, progress: TableProgress): TemplateResult {
  const { host } = page;
  const button = (
    label: string,
    act: () => Promise<unknown>,
    kind: 'primary' | 'secondary' = 'secondary',
    disabled = false,
  ) => textButton(label, () => page.ask(act()), { kind, disabled });
  const pause = () => button(l10n.t('Pause'), () => host.call('pause', null));
  const cancel = () => button(l10n.t('Cancel'), () => host.call('cancel', null));
  switch (progress.state) {
    case 'idle':
      return html`${button(runLabel(progress), () => host.call('start', { which: 'missing' }), 'primary', progress.missing === 0)}
        ${
          progress.failed > 0
            ? button(l10n.t('Retry {0} Failed', formatNumber(progress.failed)), () =>
                host.call('start', { which: 'failed' }),
              )
            : nothing
        }
        ${
          progress.unconfirmed > 0
            ? button(l10n.t('Retry {0} Unconfirmed', formatNumber(progress.unconfirmed)), () =>
                host.call('start', { which: 'unconfirmed' }),
              )
            : nothing
        }
        ${progress.rejected > 0 ? html`<span class="quiet">${rejectedText(progress.rejected)}</span>` : nothing}`;
    case 'running':
      return html`${bar(progress)} ${pause()} ${cancel()}`;
    case 'stopping':
      return bar(progress);
    case 'paused':
      return html`${bar(progress)} ${button(l10n.t('Resume'), () => host.call('resume', null), 'primary')} ${cancel()}`;
    case 'interrupted':
      return button(l10n.t('Resume'), () => host.call('resume', null), 'primary');
    default:
      return assertNever(progress.state);
  }
}

/** "Run 1,200 (about $2.40)": the runs to send, and their expected cost. */
function runLabel({ missing, estimate }: TableProgress): string {
  if (missing === 0) return l10n.t('Run');
  return estimate === undefined
    ? l10n.t('Run {0}', formatNumber(missing))
    : l10n.t('Run {0} ({1})', formatNumber(missing), estimate);
}

/** For screen readers, when it changes: others see the cells. */
function finishedText({ finished, total }: TableProgress): string {
  return l10n.t('{0} of {1} runs finished.', formatNumber(finished), formatNumber(total));
}

/** Why they cannot is said above the table. */
function rejectedText(count: number): string {
  return count === 1
    ? l10n.t('1 run cannot be sent: see above')
    : l10n.t('{0} runs cannot be sent: see above', formatNumber(count));
}

/** Of runs that have an outcome. */
export function bar({ total, finished, failed, unconfirmed }: TableProgress): TemplateResult {
  return html`<progress max=${total} .value=${finished + failed + unconfirmed} aria-label=${l10n.t('Progress')}></progress>`;
}
