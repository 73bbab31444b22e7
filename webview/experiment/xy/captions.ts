import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PlotAxes } from '../../../src/protocol/experimentPlot';
import { inputPart } from '../inputPart';
import { type Axis, INPUTS, type Layout, REPEATS, valueText } from './axes';
import type { XyPlot } from './plot';

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
