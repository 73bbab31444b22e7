import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { assertNever } from '../../src/domain/assertNever';
import type { ExportFormat, TableHead, TableProgress } from '../../src/protocol/experiment';
import { formatNumber } from '../../src/wording/number';
import { textButton } from '../shared/buttons';
import { type MenuItem, splitButton, textMenuButton } from '../shared/menu';
import { filterBox } from './filterBar';
import type { ExperimentPage } from './page';
import { viewItems } from './viewMenu';
import { hasHits, tableQuery } from './viewSettings';

/** Of the whole experiment: six controls. Every button with a possible cost asks first, in VS Code. */
export function toolbar(page: ExperimentPage, head: TableHead): TemplateResult {
  const { progress } = head;
  const { plot, blind } = page.state.view;
  const hasTable = head.columns.length > 0;
  return html`<span class=${progress.text === undefined ? 'live' : 'quiet'} role="status">${progress.text ?? finishedText(progress)}</span>
    ${runButtons(page, progress)}
    ${textButton(l10n.t('Set Up'), () => page.showSetUp())}
    ${hasTable && (!plot?.isShown || blind !== undefined) ? filterBox(page, head) : html`<span class="grow"></span>`}
    ${textMenuButton(l10n.t('View'), () => viewItems(page, head))}
    ${
      hasTable && blind === undefined
        ? html`${textButton(l10n.t('Compare With…'), () => page.ask(page.host.call('compareWith', null)))}
            ${exportMenu(page, head)}`
        : nothing
    }`;
}

function exportMenu(page: ExperimentPage, head: TableHead): TemplateResult {
  const formats: [ExportFormat, string][] = [
    ['csv', l10n.t('CSV')],
    ['jsonl', l10n.t('JSON Lines')],
    ['markdown', l10n.t('Markdown Summary')],
    ['html', l10n.t('HTML Report')],
  ];
  if (hasHits(head))
    formats.push(['trec', l10n.t('Judged Hits (TREC)')], ['beir', l10n.t('Judged Hits (BEIR)')]);
  const save = (format: ExportFormat) =>
    page.ask(
      page.host.call('export', {
        format,
        query: tableQuery(page.state.view, head),
        groupBy: page.state.view.groupBy,
      }),
    );
  return textMenuButton(l10n.t('Export'), () =>
    formats.map(([format, label]) => ({ label, act: () => save(format) })),
  );
}

function runButtons(page: ExperimentPage, progress: TableProgress): TemplateResult {
  const { host } = page;
  const button = (label: string, act: () => Promise<unknown>, kind?: 'primary', disabled = false) =>
    textButton(label, () => page.ask(act()), { ...(kind && { kind }), disabled });
  const pause = () => button(l10n.t('Pause'), () => host.call('pause', null));
  const cancel = () => button(l10n.t('Cancel'), () => host.call('cancel', null));
  const resume = () => button(l10n.t('Resume'), () => host.call('resume', null), 'primary');
  switch (progress.state) {
    case 'idle':
      return html`${splitButton(
        button(
          runLabel(progress),
          () => host.call('start', { which: 'missing' }),
          'primary',
          progress.missing === 0,
        ),
        l10n.t('Other Ways to Run'),
        retries(page, progress),
      )}
        ${progress.rejected > 0 ? html`<span class="quiet">${rejectedText(progress.rejected)}</span>` : nothing}`;
    case 'running':
      return html`${bar(progress)} ${pause()} ${cancel()}`;
    case 'stopping':
      return bar(progress);
    case 'paused':
      return html`${bar(progress)} ${resume()} ${cancel()}`;
    case 'interrupted':
      return resume();
    default:
      return assertNever(progress.state);
  }
}

function retries(page: ExperimentPage, { failed, unconfirmed }: TableProgress): MenuItem[] {
  const start = (which: 'failed' | 'unconfirmed') => page.ask(page.host.call('start', { which }));
  return [
    failed > 0 && { label: l10n.t('Retry {0} Failed', formatNumber(failed)), act: () => start('failed') },
    unconfirmed > 0 && {
      label: l10n.t('Retry {0} Unconfirmed', formatNumber(unconfirmed)),
      act: () => start('unconfirmed'),
    },
  ];
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
