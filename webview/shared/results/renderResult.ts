import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { assertNever } from '../../../src/domain/assertNever';
import type { PartOf, ResultSection, ResultView, ViewKind } from '../../../src/results/resultView';
import { formatNumber, formatShare } from '../../../src/wording/number';
import { plainLine, visibleText } from '../../../src/wording/plainText';
import { resultButton } from '../element';
import type { HitActions } from '../gallery';
import { openLightbox } from '../lightbox';
import { menuButton } from '../menu';
import { scoreText } from '../scoreText';
import type { ResultActions } from './channelActions';
import './jsonTree';
import './labels';
import './mediaView';
import './regions';
import './tableView';
import './textView';
import '../gallery';
import './results.css';
import './textView.css';
import './labels.css';
import './regions.css';
import './mediaView.css';
import './tableView.css';
import './jsonTree.css';

/** A run's output: its recognized parts, and all of it as a tree. The page holds one slice of it at a time. */
export function renderResult(result: ResultView, actions: ResultActions): TemplateResult {
  const hasTree = !result.recognised || result.incomplete;
  return html`<div class="mb-result">
    ${result.recognised ? nothing : html`<p class="mb-note">${notRecognised(result)}</p>`}
    ${result.sections.map((section) => renderSection(section, actions))}
    ${hasTree ? renderTree(result, actions) : nothing}
  </div>`;
}

function notRecognised({ tree }: ResultView): string {
  if (tree.type === 'null') return l10n.t('The result is empty.');
  if (tree.size === 0) return l10n.t('The result is {0}.', tree.preview);
  return l10n.t('No preview for this result; showing JSON.');
}

/** Where no part was recognised, or the parts do not show everything. */
function renderTree(result: ResultView, actions: ResultActions): TemplateResult {
  const tree = html`<mb-json-tree .shows=${result.tree} .actions=${actions}></mb-json-tree>`;
  if (!result.recognised) return tree;
  return html`<section class="mb-part"><h3>${l10n.t('All values (JSON)')}</h3>${tree}</section>`;
}

function renderSection(section: ResultSection, actions: ResultActions): TemplateResult {
  return html`<section class="mb-part">
    ${viewMenu(section, actions)}${section.title === undefined ? nothing : html`<h3>${plainLine(section.title)}</h3>`}
    ${renderPart(section, actions)}
  </section>`;
}

function renderPart({ part, pointer, title }: ResultSection, actions: ResultActions): unknown {
  const name = title === undefined ? l10n.t('Result') : plainLine(title);
  switch (part.kind) {
    case 'text':
      return html`<mb-text .shows=${part} .pointer=${pointer} .actions=${actions}></mb-text>`;
    case 'labels':
      return html`<mb-labels .shows=${part} .name=${name}></mb-labels>`;
    case 'hits':
      return renderHits(part, name, actions);
    case 'boxes':
    case 'masks':
      return html`<mb-regions .shows=${part} .actions=${actions} .name=${name}></mb-regions>`;
    case 'vector':
      return renderVector(part, pointer, actions);
    case 'table':
      return html`<mb-table .shows=${part} .pointer=${pointer} .actions=${actions} .name=${name}></mb-table>`;
    case 'media':
      return html`<div class=${part.media.length > 1 ? 'mb-media-grid tiles' : ''} @mb-open=${openPicture}>
        ${part.media.map((media) => html`<mb-media .shows=${media} .actions=${actions} .name=${name}></mb-media>`)}
      </div>`;
    case 'colors':
      return renderColors(part, actions);
    case 'facts':
      return renderFacts(part);
    default:
      return assertNever(part);
  }
}

function renderHits(part: PartOf<'hits'>, name: string, actions: ResultActions): unknown {
  const { hits, total, measure } = part;
  if (hits.length === 0) return html`<p class="mb-note">${l10n.t('No hits.')}</p>`;
  const hitActions: HitActions = {
    menu: 'result',
    open: ({ file }) => file && actions.openHit(file),
    copyId: ({ id }) => actions.copyText(id),
  };
  return html`<mb-hits .hits=${hits} .measure=${measure} .name=${name} .actions=${hitActions}></mb-hits>
    ${total > hits.length ? html`<p class="mb-note">${l10n.t('{0} of {1} hits. The JSON contains the others.', formatNumber(hits.length), formatNumber(total))}</p>` : nothing}`;
}

/** A picture in the page's full size, with the others of its result beside it. */
function openPicture(event: Event): void {
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLImageElement>('.mb-media img')];
  const pictures = all.map(({ src, alt }) => ({ src, name: alt }));
  const at = all.findIndex((picture) => (event.target as HTMLElement).contains(picture));
  if (at >= 0) openLightbox(pictures, at);
}

/** The other views of the value, where there are several. */
function viewMenu({ views, part, pointer }: ResultSection, actions: ResultActions): unknown {
  if (!views) return nothing;
  const items = () =>
    views.map((kind) => ({
      label: VIEW_NAMES[kind](),
      checked: kind === part.kind,
      act: () => actions.chooseView(pointer, kind),
    }));
  return menuButton(l10n.t('View As…'), items, { icon: 'eye', className: 'mb-view-as' });
}

const VIEW_NAMES: Readonly<Record<ViewKind, () => string>> = {
  hits: () => l10n.t('Ranked List'),
  labels: () => l10n.t('Bars'),
  text: () => l10n.t('Text'),
  table: () => l10n.t('Table'),
};

function renderFacts(part: PartOf<'facts'>): TemplateResult {
  return html`<dl class="mb-facts">
    ${part.facts.map(({ name, value }) => html`<div><dt>${plainLine(name)}</dt><dd>${value === null ? '–' : visibleText(String(value))}</dd></div>`)}
  </dl>`;
}

/** A strip with the shares, and a row for each color; a click copies it. */
function renderColors({ colors }: PartOf<'colors'>, actions: ResultActions): TemplateResult {
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
            <span>${name === undefined ? '' : plainLine(name)}</span>
            <code>${color}</code>
            <span class="mb-dim">${share === undefined ? '' : formatShare(share)}</span>
          </button>
          ${about === undefined ? '' : html`<span class="mb-dim">${visibleText(about)}</span>`}
        </li>`,
      )}
    </ul>`;
}

const PLOT_HEIGHT = 100;

function renderVector(part: PartOf<'vector'>, pointer: string, actions: ResultActions): TemplateResult {
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
