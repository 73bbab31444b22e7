import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../../src/wording/number';
import { iconButton, textButton } from '../../shared/buttons';
import { choice, slider, typedIn } from '../../shared/controls';
import { type Axis, type Layout, NO_AXIS, type PlotPage, transposed, valueText, withAxis } from './axes';
import { plottedFigures } from './figureCells';
import { MOST_PLOT_ZOOM } from './geometry';
import { type PlotRange, plotPlaces } from './pageCells';
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
  return html`<div class="filter line wraps" role="toolbar" aria-label=${l10n.t('X/Y')}>
    ${axisChoice(plot, layout, axes, 'x')}
    ${iconButton('arrow-swap', l10n.t('Transpose'), () => plot.change(transposed(view, layout)))}
    ${axisChoice(plot, layout, axes, 'y')}
    ${figureChoice(plot)}
    ${layout.pages.map((page) => pageChoice(plot, page))}
    <span class="grow"></span>
    ${range ? legend(plot, layout, range) : nothing}
    <label class="line">${l10n.t('Size')} ${slider(view.zoom ?? 0, (zoom) => plot.change({ ...view, zoom }), { max: MOST_PLOT_ZOOM })}</label>
    ${textButton(plot.isSaving ? l10n.t('Saving…') : l10n.t('Save as PNG'), save, { disabled: plot.isSaving })}
  </div>`;
}

/** The results, or a figure of whole columns. */
function figureChoice(plot: XyPlot): TemplateResult | typeof nothing {
  const { figures, figure, view } = plot;
  const all = figures ? plottedFigures(figures) : [];
  if (all.length === 0) return nothing;
  const options: [string | undefined, string][] = all.map(({ of, name }) => [of, name]);
  return choice(l10n.t('Show'), figure?.of, [[undefined, l10n.t('Results')], ...options], (of) =>
    plot.change({ ...view, of }),
  );
}

function axisChoice(plot: XyPlot, layout: Layout, axes: readonly Axis[], which: 'x' | 'y'): TemplateResult {
  const options = axes.map(({ key, name }) => [key, name] as const);
  return choice(
    which === 'x' ? l10n.t('X') : l10n.t('Y'),
    layout[which]?.key ?? NO_AXIS,
    [...options, [NO_AXIS, l10n.t('None')]],
    (key) => plot.change(withAxis(plot.view, layout, which, key)),
  );
}

/** Which value of another axis is shown: chosen, typed, or the one before and after. */
function pageChoice(plot: XyPlot, { axis, at }: PlotPage): TemplateResult {
  const { view, head } = plot;
  const show = (next: number) => {
    if (next >= 0 && next < axis.length) plot.change({ ...view, pages: { ...view.pages, [axis.key]: next } });
  };
  const { values } = axis;
  return html`<span class="xy-page line" role="group" aria-label=${axis.name}>
    ${
      values && axis.length <= MOST_OPTIONS
        ? choice(
            axis.name,
            at,
            values.map((_, one) => [one, valueText(axis, one, head.locale)] as const),
            show,
          )
        : html`<label class="line">${axis.name}
            <input type="number" min="1" max=${axis.length} .value=${String(at + 1)}
              @change=${(event: Event) => show(Number(typedIn(event)) - 1)} /></label>`
    }
    <span class="quiet">${l10n.t('{0} of {1}', formatNumber(at + 1, head.locale), formatNumber(axis.length, head.locale))}</span>
    ${iconButton('chevron-left', l10n.t('Previous {0}', axis.name), () => show(at - 1), { disabled: at === 0 })}
    ${iconButton('chevron-right', l10n.t('Next {0}', axis.name), () => show(at + 1), { disabled: at === axis.length - 1 })}
  </span>`;
}

/** The ends of the heat map; those of figures as their cells write them. */
function legend(plot: XyPlot, layout: Layout, { low, high }: PlotRange): TemplateResult {
  const cells = plot.figure ? plotPlaces(layout).flatMap((place) => plot.cellOf(place) ?? []) : [];
  const [least, most] = [low, high].map(
    (end) => cells.find(({ value }) => value === end)?.text ?? formatNumber(end, plot.head.locale),
  );
  return html`<span class="xy-legend line" role="img" aria-label=${l10n.t('Numbers on this page: {0} to {1}', least!, most!)}>
    <span>${least}</span><span class="scale"></span><span>${most}</span></span>`;
}
