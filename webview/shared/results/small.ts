import * as l10n from '@vscode/l10n';
import { html, svg, type TemplateResult } from 'lit';
import type { PartOf } from '../../../src/results/resultView';
import { formatNumber, formatShare } from '../../../src/wording/number';
import { visibleText } from '../../../src/wording/plainText';
import { resultButton } from '../element';
import { scoreText } from '../scoreText';
import type { ResultActions } from './channelActions';

/** Parts without state. */

export function renderFacts(part: PartOf<'facts'>): TemplateResult {
  return html`<dl class="mb-facts">
    ${part.facts.map(({ name, value }) => html`<div><dt>${visibleText(name)}</dt><dd>${value === null ? '–' : visibleText(String(value))}</dd></div>`)}
  </dl>`;
}

/** A strip with the shares, and a row for each color; a click copies it. */
export function renderColors({ colors }: PartOf<'colors'>, actions: ResultActions): TemplateResult {
  const widths = colors.map(({ share }) => share ?? 1);
  const total = widths.reduce((sum, width) => sum + width, 0) || 1;
  let left = 0;
  const strip = colors.map(({ color }, at) => {
    const x = left;
    left += (widths[at]! / total) * 100;
    return svg`<rect x=${x} width=${left - x} height="10" fill=${color} />`;
  });
  return html`<svg class="mb-strip" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">${strip}</svg>
    <ul class="mb-colors">
      ${colors.map(
        ({ color, share, name, about }) => html`<li>
          <button type="button" title=${l10n.t('Copy {0}', color)} @click=${() => actions.copyText(color)}>
            <svg aria-hidden="true" viewBox="0 0 10 10"><rect width="10" height="10" fill=${color} /></svg>
            <span>${name === undefined ? '' : visibleText(name)}</span>
            <code>${color}</code>
            <span class="mb-dim">${share === undefined ? '' : formatShare(share)}</span>
          </button>
          ${about === undefined ? '' : html`<span class="mb-dim">${visibleText(about)}</span>`}
        </li>`,
      )}
    </ul>`;
}

const PLOT_HEIGHT = 100;

export function renderVector(
  part: PartOf<'vector'>,
  pointer: string,
  actions: ResultActions,
): TemplateResult {
  const { values, min, max } = part;
  const [low, high] = [Math.min(0, min), Math.max(0, max)];
  const y = (value: number) =>
    high === low ? PLOT_HEIGHT / 2 : ((high - value) / (high - low)) * PLOT_HEIGHT;
  const points = values.map((value, at) => `${at},${y(value).toFixed(2)}`).join(' ');
  const summary = l10n.t(
    '{0} dimensions, norm {1}, from {2} to {3}',
    formatNumber(part.dimension),
    scoreText(part.norm),
    scoreText(min),
    scoreText(max),
  );
  const more = part.vectors > 1 ? ` · ${l10n.t('first of {0} vectors', formatNumber(part.vectors))}` : '';
  return html`<figure class="mb-vector">
    <svg viewBox="0 0 ${Math.max(1, values.length - 1)} ${PLOT_HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${summary}>
      ${svg`<line class="mb-axis" x1="0" x2=${values.length} y1=${y(0)} y2=${y(0)} />
      <polyline points=${points} />`}
    </svg>
    <figcaption class="line wraps">
      ${summary}${more}
      ${resultButton(l10n.t('Copy'), () => actions.copyValue(pointer))}
    </figcaption>
  </figure>`;
}
