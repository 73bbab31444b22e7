import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { TableHead, TableQuery } from '../../src/protocol/experiment';
import { textButton } from '../shared/buttons';
import { choice, clearFilter, typedIn } from '../shared/controls';
import type { ExperimentPage } from './page';
import { hasFilter, isJudging, noFilter } from './viewSettings';

/** The rows that are shown: by a text, an outcome, the column that it is about, and the expected value. */
export function rowFilters(page: ExperimentPage, head: TableHead): TemplateResult {
  const { view } = page.state;
  const { columns } = page;
  const isOne = columns.length < 2;
  const option = (
    show: TableQuery['show'],
    text: string,
    isOffered: boolean,
  ): [TableQuery['show'], string][] => (isOffered || view.show === show ? [[show, text]] : []);
  const shows = [
    ...option('all', l10n.t('All rows'), true),
    ...option('worse', l10n.t('Became wrong'), head.hasExpected && !isOne && view.blind === undefined),
    ...option('wrong', l10n.t('Wrong'), head.hasExpected),
    ...option('differs', l10n.t('Differs'), !isOne && view.blind === undefined),
    ...option('failed', l10n.t('Failed'), true),
    ...option('unconfirmed', l10n.t('Unconfirmed'), true),
    ...option('missing', l10n.t('Not run'), true),
    ...option('unjudged', l10n.t('Not judged'), isJudging(view, head)),
  ];
  return html`<input id="filter" type="search" aria-label=${l10n.t('Search inputs and outcomes')} placeholder=${l10n.t('Search inputs and outcomes')}
      .value=${view.text} @input=${(event: Event) => page.changeView({ text: typedIn(event) })}
      @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && page.changeView(noFilter)} />
    ${choice(l10n.t('Rows'), view.show, shows, (show) => page.changeView({ show }), false)}
    ${
      view.show === 'all' || isOne || view.blind !== undefined
        ? nothing
        : choice(
            l10n.t('In column'),
            view.of,
            [
              [undefined, l10n.t('in any column')],
              ...columns.map((column): [number, string] => [column, head.columns[column]!.name]),
            ],
            (of) => page.changeView({ of }),
            false,
          )
    }
    ${
      head.labels.length < 2
        ? nothing
        : choice(
            l10n.t('Expected value'),
            view.label,
            [
              [undefined, l10n.t('any expected value')],
              ...head.labels.map((label): [string, string] => [label, label]),
            ],
            (label) => page.changeView({ label }),
            false,
          )
    }
    ${
      hasFilter(view)
        ? html`${view.pair ? html`<span>${l10n.t('expected {0}, got {1}', view.pair.expected, view.pair.got)}</span>` : nothing}
            ${clearFilter(() => page.changeView(noFilter))}`
        : nothing
    }`;
}

/** How columns differ from their results of another time, file or environment. */
export function changesView(page: ExperimentPage): TemplateResult | typeof nothing {
  const { summary, view } = page.state;
  if (!summary || summary.changes.length === 0 || view.blind !== undefined) return nothing;
  const isShown = view.show === 'worse';
  return html`<ul class="changes" aria-label=${l10n.t('Changes')}>
    <li>${textButton(l10n.t('Became Wrong'), () => page.changeView(isShown ? noFilter : { show: 'worse' }), { pressed: isShown })}</li>
    ${summary.changes.map((text) => html`<li>${text}</li>`)}
  </ul>`;
}
