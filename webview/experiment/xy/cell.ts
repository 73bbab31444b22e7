import { html, nothing, type TemplateResult } from 'lit';
import type { ShownCell } from '../../../src/protocol/experiment';
import { outcome, stateMark, stateText } from '../cells';
import type { PlotSize } from './geometry';

/** Sides of the drawn copy of a picture: few, so that a resized window draws it seldom again. */
const SIDES = [144, 288, 576, 1152];

/** A cell of the plot: its picture as large as the cell, its number or its text, and its state in words. */
export function plotCell(cell: ShownCell, { width, height }: PlotSize): TemplateResult {
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
