import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { GlanceCell, GlanceInterval, GlanceRow } from '../../src/protocol/experimentFigures';
import { MARKS } from '../../src/wording/signs';
import { icon } from '../shared/icon';
import type { ExperimentPage } from './page';

/** A window as low as one at 200 % is; the same as in experiment.css. */
export function isWindowLow(): boolean {
  return matchMedia('(max-height: 560px)').matches;
}

/** Until the user chooses, a low window has its room for the rows of the table. */
export function isFolded({ state: { view } }: ExperimentPage): boolean {
  return view.isFolded ?? isWindowLow();
}

/**
 * The rows of the summary that are shown: none where it is folded, or where they would tell who is judged. How many runs
 * have finished is said in one place while they go on.
 */
export function glanceRowsOf(page: ExperimentPage): readonly GlanceRow[] {
  const { summary, view } = page.state;
  if (!summary || isFolded(page) || view.blind !== undefined) return [];
  return page.isHostAtWork ? summary.rows.filter(({ kind }) => kind !== 'runs') : summary.rows;
}

/** One kind of figure of all columns, aligned below their heads. Hovered, a cell says the same in sentences. */
export function glanceRow(
  page: ExperimentPage,
  { kind, name, hasLabels = false, cells }: GlanceRow,
  index: number,
  places: readonly number[],
  tracks: string,
): TemplateResult {
  return html`<div role="row" aria-rowindex=${index} class="cells" .style=${tracks}>
    <div role="rowheader" aria-colindex="1" class="cell input glance ${kind}" title=${name}>${hasLabels ? labelsButton(page, name) : name}</div>
    ${places.map((place) => {
      const cell = cells[page.columns[place]!];
      const kinds = ['cell', 'glance', cell?.isBest ? 'best' : ''].join(' ');
      return html`<div role="gridcell" aria-colindex=${place + 2} class=${kinds} .style=${`grid-column:${place + 2}`}
        title=${cell?.words.join('\n') || nothing}>${cell ? figure(cell, kind) : nothing}</div>`;
    })}
  </div>`;
}

/** Opens the figures for each expected label below those of all rows; by keys, _Group By…_ does. */
function labelsButton(page: ExperimentPage, name: string): TemplateResult {
  const isOpen = page.state.view.groupBy === '';
  return html`<button type="button" tabindex="-1" class="fold line" aria-expanded=${isOpen ? 'true' : 'false'} title=${l10n.t('Figures for each expected label')}
    @click=${() => page.changeView({ groupBy: isOpen ? undefined : '' })}>${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span class="clip">${name}</span></button>`;
}

/** A figure, then its difference from the baseline; its own interval where it is not compared. */
function figure({ text, note, interval, difference }: GlanceCell, kind: GlanceRow['kind']): TemplateResult {
  if (kind === 'group')
    return html`<span class="value">${text}</span><span>${interval ? bar(interval) : nothing}</span><span class="quiet">${note ?? nothing}</span>`;
  if (kind !== 'metric')
    return html`<span class="value wide">${text}</span><span class="quiet">${note ?? nothing}</span>`;
  const range = difference?.interval ?? (difference ? undefined : interval);
  return html`<span class="value">${text}</span>
    <span>${range ? bar(range) : nothing}</span>
    <span class="quiet">${note ?? nothing}</span>
    ${
      difference
        ? html`<span class="told quiet ${difference.sign}">${MARKS[difference.sign]} ${difference.text} ${difference.word}${difference.note === undefined ? nothing : ` ${difference.note}`}</span>`
        : interval
          ? html`<span class="told quiet">${interval.text}</span>`
          : nothing
    }`;
}

/** The interval on the scale that all columns share. */
function bar({ low, high, at, even, text }: GlanceInterval): TemplateResult {
  const width = Math.max(1, 100 * (high - low));
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${text}>
    ${svg`<line x1="0" y1="5" x2="100" y2="5" vector-effect="non-scaling-stroke" />
    <rect x=${100 * low} y="3" width=${width} height="4" />
    ${even === undefined ? nothing : svg`<line class="even" x1=${100 * even} y1="0" x2=${100 * even} y2="10" vector-effect="non-scaling-stroke" />`}
    <rect class="point" x=${Math.max(0, 100 * at - 0.8)} y="0" width="1.6" height="10" />`}
  </svg>`;
}
