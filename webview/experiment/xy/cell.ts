import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownCell } from '../../../src/protocol/experiment';
import { outcome, stateMark, stateText } from '../cells';
import type { Layout } from './axes';
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
