import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PlotRange } from '../../../src/protocol/experimentPlot';
import { formatNumber } from '../../../src/wording/number';
import { iconButton } from '../../shared/iconButton';
import { type Axis, type Layout, NO_AXIS, type PlotPage, transposed, valueText, withAxis } from './axes';
import { plottedFigures } from './figureCells';
import { MOST_PLOT_ZOOM } from './geometry';
import { placesOf } from './pageCells';
import type { XyPlot } from './plot';
import { savePlot } from './savePlot';

/** Of more values, a number is typed instead of one being chosen. */
const MOST_OPTIONS = 200;

/** Axes, pages, the legend and the actions of the plot. */
export function plotBar(plot: XyPlot, layout: Layout, axes: readonly Axis[]): TemplateResult {
  const { view, range } = plot;
  const save = async () => {
    plot.isSaving = true;
    await plot.page.ask(savePlot(plot, layout));
    plot.isSaving = false;
  };
  return html`<div class="filter" role="toolbar" aria-label=${l10n.t('X/Y')}>
    <button type="button" class="secondary" aria-pressed="true" @click=${() => plot.change({ ...view, isShown: false })}>${l10n.t('X/Y')}</button>
    ${axisChoice(plot, layout, axes, 'x')}
    ${iconButton('arrow-swap', l10n.t('Transpose'), () => plot.change(transposed(view, layout)))}
    ${axisChoice(plot, layout, axes, 'y')}
    ${figureChoice(plot)}
    ${layout.pages.map((page) => pageChoice(plot, page))}
    <span class="spring"></span>
    ${range ? legend(plot, layout, range) : nothing}
    <label class="zoom">${l10n.t('Size')}
      <input type="range" min="0" max=${MOST_PLOT_ZOOM} step="1" .value=${String(view.zoom ?? 0)} .style=${`--filled:${((view.zoom ?? 0) / MOST_PLOT_ZOOM) * 100}%`}
        @input=${(event: Event) => plot.change({ ...view, zoom: Number((event.target as HTMLInputElement).value) })} /></label>
    <button type="button" class="secondary" ?disabled=${plot.isSaving} @click=${() => void save()}>${plot.isSaving ? l10n.t('Saving…') : l10n.t('Save as PNG')}</button>
  </div>`;
}

/** The results, or a figure of whole columns. */
function figureChoice(plot: XyPlot): TemplateResult | typeof nothing {
  const { figures, figure, view } = plot;
  const all = figures ? plottedFigures(figures) : [];
  if (all.length === 0) return nothing;
  const choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    plot.change({ ...view, of: value === '' ? undefined : value });
  };
  return html`<label>${l10n.t('Show')}
    <select .value=${figure?.of ?? ''} @change=${choose}>
      <option value="" ?selected=${!figure}>${l10n.t('Results')}</option>
      ${all.map(({ of, name }) => html`<option value=${of} ?selected=${of === figure?.of}>${name}</option>`)}
    </select></label>`;
}

function axisChoice(plot: XyPlot, layout: Layout, axes: readonly Axis[], which: 'x' | 'y'): TemplateResult {
  const chosen = layout[which]?.key ?? NO_AXIS;
  const choose = (event: Event) =>
    plot.change(withAxis(plot.view, layout, which, (event.target as HTMLSelectElement).value));
  return html`<label>${which === 'x' ? l10n.t('X') : l10n.t('Y')}
    <select .value=${chosen} @change=${choose}>
      ${axes.map(({ key, name }) => html`<option value=${key} ?selected=${key === chosen}>${name}</option>`)}
      <option value=${NO_AXIS} ?selected=${chosen === NO_AXIS}>${l10n.t('None')}</option>
    </select></label>`;
}

/** Which value of another axis is shown: chosen, typed, or the one before and after. */
function pageChoice(plot: XyPlot, { axis, at }: PlotPage): TemplateResult {
  const { view, head } = plot;
  const show = (next: number) => {
    if (next >= 0 && next < axis.length) plot.change({ ...view, pages: { ...view.pages, [axis.key]: next } });
  };
  const { values } = axis;
  return html`<span class="xy-page" role="group" aria-label=${axis.name}>
    <label>${axis.name}
      ${
        values && axis.length <= MOST_OPTIONS
          ? html`<select .value=${String(at)} @change=${(event: Event) => show(Number((event.target as HTMLSelectElement).value))}>
              ${values.map((_, one) => html`<option value=${one} ?selected=${one === at}>${valueText(axis, one, head.locale)}</option>`)}
            </select>`
          : html`<input type="number" min="1" max=${axis.length} .value=${String(at + 1)}
              @change=${(event: Event) => show(Number((event.target as HTMLInputElement).value) - 1)} />`
      }</label>
    <span class="quiet">${l10n.t('{0} of {1}', formatNumber(at + 1, head.locale), formatNumber(axis.length, head.locale))}</span>
    ${iconButton('chevron-left', l10n.t('Previous {0}', axis.name), () => show(at - 1), { disabled: at === 0 })}
    ${iconButton('chevron-right', l10n.t('Next {0}', axis.name), () => show(at + 1), { disabled: at === axis.length - 1 })}
  </span>`;
}

/** The ends of the heat map; those of figures as their cells write them. */
function legend(plot: XyPlot, layout: Layout, { low, high }: PlotRange): TemplateResult {
  const cells = plot.figure ? placesOf(layout).flatMap((place) => plot.cellOf(place) ?? []) : [];
  const [least, most] = [low, high].map(
    (end) => cells.find(({ value }) => value === end)?.text ?? formatNumber(end, plot.head.locale),
  );
  return html`<span class="xy-legend" role="img" aria-label=${l10n.t('Numbers on this page: {0} to {1}', least!, most!)}>
    <span>${least}</span><span class="scale"></span><span>${most}</span></span>`;
}
