import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { TableHead, TableQuery } from '../../src/protocol/experiment';
import { formatNumber } from '../../src/wording/number';
import { iconButton, textButton } from '../shared/buttons';
import { typedIn } from '../shared/controls';
import { type MenuItem, menuButton } from '../shared/menu';
import type { ExperimentPage } from './page';
import { hasFilter, isJudging, noFilter, type ViewSettings } from './viewSettings';

/** Which rows are shown: the box of a text, with the menu of outcomes, columns and expected values in it. */
export function filterBox(page: ExperimentPage, head: TableHead): TemplateResult {
  const { view } = page.state;
  const isOn = hasFilter(view);
  const words = isOn ? filterWords(page, head) : '';
  const clear = () => {
    document.querySelector<HTMLElement>('#filter')?.focus();
    page.changeView(noFilter);
  };
  return html`<div class="search-box line" role="search" aria-label=${l10n.t('Filter')}>
    <input id="filter" type="search" aria-label=${l10n.t('Search inputs and outcomes')} placeholder=${l10n.t('Search inputs and outcomes')}
      .value=${view.text} @input=${(event: Event) => page.changeView({ text: typedIn(event) })}
      @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && page.changeView(noFilter)} />
    ${words ? html`<span class="quiet clip" title=${words}>${words}</span>` : nothing}
    <span class="quiet rows" role="status">${countText(page, head)}</span>
    ${isOn ? iconButton('clear-all', l10n.t('Clear Filter'), clear) : nothing}
    ${menuButton(l10n.t('Filter Rows'), () => filterItems(page, head), { icon: isOn ? 'filter-filled' : 'filter' })}
  </div>`;
}

function countText({ blocks: { total, folded } }: ExperimentPage, { rows }: TableHead): string {
  const count =
    total === rows
      ? rows === 1
        ? l10n.t('1 row')
        : l10n.t('{0} rows', formatNumber(rows))
      : l10n.t('{0} of {1} rows', formatNumber(total), formatNumber(rows));
  return folded > 0 ? `${count} · ${l10n.t('{0} equal rows folded', formatNumber(folded))}` : count;
}

function showTexts(): Readonly<Record<TableQuery['show'], string>> {
  return {
    all: l10n.t('All rows'),
    worse: l10n.t('Became wrong'),
    wrong: l10n.t('Wrong'),
    differs: l10n.t('Differs'),
    failed: l10n.t('Failed'),
    unconfirmed: l10n.t('Unconfirmed'),
    missing: l10n.t('Not run'),
    unjudged: l10n.t('Not judged'),
  };
}

/** The filter in words, but for the typed text. */
function filterWords(page: ExperimentPage, head: TableHead): string {
  const { show, of, label, pair } = page.state.view;
  return [
    ...(show === 'all' ? [] : [showTexts()[show]]),
    ...(show === 'all' || of === undefined ? [] : [inColumn(head, of)]),
    ...(label === undefined ? [] : [expecting(label)]),
    ...(pair ? [l10n.t('expected {0}, got {1}', pair.expected, pair.got)] : []),
  ].join(', ');
}

function inColumn(head: TableHead, column: number | undefined): string {
  return column === undefined ? l10n.t('in any column') : l10n.t('in {0}', head.columns[column]!.name);
}

function expecting(label: string | undefined): string {
  return label === undefined ? l10n.t('any expected value') : l10n.t('expected {0}', label);
}

function filterItems(page: ExperimentPage, head: TableHead): MenuItem[] {
  const { columns } = page;
  const { view } = page.state;
  const isBlind = view.blind !== undefined;
  const isOne = columns.length < 2;
  const offered: readonly [TableQuery['show'], boolean][] = [
    ['all', true],
    ['worse', head.hasExpected && !isOne && !isBlind],
    ['wrong', head.hasExpected],
    ['differs', !isOne && !isBlind],
    ['failed', true],
    ['unconfirmed', true],
    ['missing', true],
    ['unjudged', isJudging(view, head)],
  ];
  const choices = <T>(
    values: readonly T[],
    chosen: T,
    text: (value: T) => string,
    change: (value: T) => Partial<ViewSettings>,
  ): MenuItem[] =>
    values.map((value) => ({
      label: text(value),
      checked: value === chosen,
      act: () => page.changeView(change(value)),
    }));
  return [
    ...choices(
      offered.flatMap(([show, isOffered]) => (isOffered || view.show === show ? [show] : [])),
      view.show,
      (show) => showTexts()[show],
      (show) => ({ show }),
    ),
    'line',
    ...choices(
      view.show === 'all' || isOne || isBlind ? [] : [undefined, ...columns],
      view.of,
      (of) => inColumn(head, of),
      (of) => ({ of }),
    ),
    'line',
    ...choices(head.labels.length < 2 ? [] : [undefined, ...head.labels], view.label, expecting, (label) => ({
      label,
    })),
  ];
}

/** Rows that would be right in another spelling: a click compares so. While runs go on it would come and go. */
export function nearView(page: ExperimentPage): TemplateResult | typeof nothing {
  const { summary, view, head } = page.state;
  const near = summary?.near;
  if (!near || view.blind !== undefined || head?.progress.state === 'running') return nothing;
  return html`<ul class="changes" aria-label=${l10n.t('Spelling')}>
    <li>${textButton(l10n.t('Compare So'), () => page.ask(page.host.call('edit', { ignore: near.ignore })))}</li>
    <li>${near.text}</li>
  </ul>`;
}

/** How columns differ from their results of another time, file or environment. */
export function changesView(page: ExperimentPage): TemplateResult | typeof nothing {
  const { summary, view } = page.state;
  if (!summary || summary.changes.length === 0 || view.blind !== undefined) return nothing;
  const isShown = view.show === 'worse';
  return html`<ul class="changes" aria-label=${l10n.t('Changes')}>
    <li>${textButton(l10n.t('Became Wrong'), () => page.changeView(isShown ? noFilter : { show: 'worse' }), { pressed: isShown })}</li>
    ${summary.changes.map((text) => html`<li class="clip" title=${text}>${text}</li>`)}
  </ul>`;
}
