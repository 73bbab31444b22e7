import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownCell } from '../../../src/protocol/experiment';
import type { PlotAxes } from '../../../src/protocol/experimentPlot';
import { outcome, stateMark, stateText } from '../cells';
import { inputPart } from '../inputPart';
import { type Axis, INPUTS, type Layout, REPEATS, valueText } from './axes';
import type { PlotPoint, PlotSize } from './geometry';
import { shareOf } from './pageCells';
import type { XyPlot } from './plot';

/** Sides of the drawn copy of a picture: few, so that a resized window draws it seldom again. */
const SIDES = [144, 288, 576, 1152];

/** The content of a cell: its picture as large as the cell, its number or its text, and its state in words. */
function plotCell(cell: ShownCell, { width, height }: PlotSize): TemplateResult {
  const { src, kind, text } = cell;
  if (src === undefined)
    return html`${stateMark(cell)}
      ${cell.state === 'failed' || cell.state === 'unconfirmed' ? html`<strong aria-hidden="true">${stateText(cell.state)}</strong>` : nothing}
      ${outcome(cell)}`;
  const needed = Math.max(width, height) * Math.min(2, window.devicePixelRatio);
  const side = SIDES.find((one) => one >= needed) ?? SIDES.at(-1)!;
  return html`<mb-thumbnail .side=${side} .src=${src} title=${text}></mb-thumbnail>
    ${kind === 'picture' ? nothing : html`<span class="beside">${text}</span>`}
    <span class="marks">${stateMark(cell)}${cell.more === undefined ? nothing : html`<span class="quiet">+${cell.more}</span>`}</span>`;
}

/** One cell of the grid. */
export function cellView(plot: XyPlot, layout: Layout, at: PlotPoint): TemplateResult {
  const place = layout.cellAt(at.x, at.y);
  const cell = place && plot.cellOf(place);
  const { open, active, range } = plot;
  const isOpen = place !== undefined && open?.row === place.row && open.column === place.column;
  const share = cell?.value === undefined || !range ? undefined : shareOf(cell.value, range);
  const classes = [
    'cell',
    cell ? `state-${cell.state}` : '',
    active.x === at.x && active.y === at.y ? 'active' : '',
    isOpen ? 'open' : '',
    share === undefined ? '' : 'heat',
  ];
  return html`<div role="gridcell" aria-colindex=${at.x + 2} aria-selected=${isOpen ? 'true' : 'false'}
    class=${classes.filter(Boolean).join(' ')} id=${cellElementId(at)} data-x=${at.x} data-y=${at.y}
    .style=${`grid-column:${at.x + 2};--share:${share ?? 0}`}>${
      place === undefined
        ? html`<span class="quiet">${l10n.t('no such run')}</span>`
        : cell
          ? plotCell(cell, plot.size)
          : nothing
    }</div>`;
}

export function cellElementId({ x, y }: PlotPoint): string {
  return `xy-${x}-${y}`;
}

/** The texts that all cells of the page share. */
export function captionView(
  { cells, head: table }: XyPlot,
  { pages }: Layout,
  { fixed }: PlotAxes,
): TemplateResult | typeof nothing {
  const page = pages.find(({ axis }) => axis.key === INPUTS);
  const head = page && cells.head(page.at);
  const places = pages.filter(({ axis }) => (axis.values ?? []).some((value) => value.length > 30));
  if (fixed.length === 0 && !head && places.length === 0) return nothing;
  return html`<div class="xy-caption">
    ${fixed.map(({ name, text }) => html`<p><span class="quiet">${name}</span> ${text}</p>`)}
    ${places.map(({ axis, at }) => html`<p><span class="quiet">${axis.name}</span> ${valueText(axis, at, table.locale)}</p>`)}
    ${head ? html`<div class="line">${head.inputs.map(inputPart)}<span class="quiet">${[head.name, head.expected === undefined ? undefined : l10n.t('expected {0}', head.expected)].filter(Boolean).join(' · ')}</span></div>` : nothing}
  </div>`;
}

/** The active cell in words: its values, and its whole text. */
export function wholeView(plot: XyPlot, layout: Layout): TemplateResult {
  const { active, head, whole: read } = plot;
  const place = layout.cellAt(active.x, active.y);
  const cell = place && plot.cellOf(place);
  const { locale } = head;
  const values = [
    ...(layout.x ? [`${layout.x.name} ${valueText(layout.x, active.x, locale)}`] : []),
    ...(layout.y ? [`${layout.y.name} ${valueText(layout.y, active.y, locale)}`] : []),
  ];
  const whole = cell && read?.of === cell ? read.text : (cell?.text ?? '');
  return html`<div class="xy-whole" id="xy-whole" role="region" tabindex="0" aria-label=${l10n.t('Active cell')}>
    <span class="quiet">${values.join(' · ')}</span> <span class="pre">${whole}</span>
    ${plot.figure && cell?.spread !== undefined ? html`<span class="quiet">${cell.spread}</span>` : nothing}
  </div>`;
}

/** The value of an axis at one of its places. */
export function axisHead(
  { cells, head: table }: XyPlot,
  axis: Axis | undefined,
  at: number,
): TemplateResult | typeof nothing {
  if (!axis) return nothing;
  if (axis.key === INPUTS) {
    const head = cells.head(at);
    return head
      ? html`${head.inputs.map(inputPart)}${head.inputs.length === 0 ? head.name : nothing}`
      : nothing;
  }
  const text = axis.key === REPEATS ? l10n.t('Run no. {0}', at + 1) : valueText(axis, at, table.locale);
  return html`<span class="outcome" title=${text}>${text}</span>`;
}

export function cornerText({ x, y }: Layout): string {
  return [y && `${y.name} ↓`, x && `${x.name} →`].filter(Boolean).join('  ');
}
