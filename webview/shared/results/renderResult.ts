import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { assertNever } from '../../../src/domain/assertNever';
import type { ResultSection, ResultView } from '../../../src/results/resultView';
import type { ResultActions } from './actions';
import './hits';
import './jsonTree';
import './labels';
import './mediaView';
import './regions';
import './tableView';
import './textView';
import { renderColors, renderFacts, renderVector } from './small';
import './results.css';

/** A run's output: its recognised parts, and the tree of all of it. The page holds one slice of it at a time. */
export function renderResult(result: ResultView, actions: ResultActions): TemplateResult {
  const file = result.sections[0]?.pointer === '' && result.sections[0].part.kind === 'media';
  const hasTree = result.tree.size > 0 || !(file || result.sections.length > 0);
  return html`<div class="mb-result">
    ${result.recognised ? nothing : html`<p class="mb-note">${notRecognised(result)}</p>`}
    ${result.sections.map((section) => renderSection(section, actions))}
    ${hasTree ? renderTree(result, actions) : nothing}
  </div>`;
}

function notRecognised({ tree }: ResultView): string {
  if (tree.type === 'null') return l10n.t('The result is empty.');
  if (tree.size === 0) return l10n.t('The result is {0}.', tree.preview);
  return l10n.t('This result has no shape that has a view of its own. Here is all of it.');
}

function renderTree(result: ResultView, actions: ResultActions): TemplateResult {
  const tree = html`<mb-json-tree .root=${result.tree} .actions=${actions}></mb-json-tree>`;
  if (!result.recognised) return tree;
  return html`<details class="mb-all"><summary>${l10n.t('All of it as JSON')}</summary>${tree}</details>`;
}

function renderSection(section: ResultSection, actions: ResultActions): TemplateResult {
  return html`<section class="mb-part">
    ${section.title === undefined ? nothing : html`<h3>${section.title}</h3>`}
    ${renderPart(section, actions)}
  </section>`;
}

function renderPart({ part, pointer, title }: ResultSection, actions: ResultActions): unknown {
  const name = title ?? l10n.t('Result');
  switch (part.kind) {
    case 'text':
      return html`<mb-text .shows=${part} .pointer=${pointer} .actions=${actions}></mb-text>`;
    case 'labels':
      return html`<mb-labels .shows=${part} .name=${name}></mb-labels>`;
    case 'hits':
      return html`<mb-hits .shows=${part} .actions=${actions} .name=${name}></mb-hits>`;
    case 'boxes':
    case 'masks':
      return html`<mb-regions .shows=${part} .actions=${actions} .name=${name}></mb-regions>`;
    case 'vector':
      return renderVector(part, pointer, actions);
    case 'table':
      return html`<mb-table .shows=${part} .pointer=${pointer} .actions=${actions} .name=${name}></mb-table>`;
    case 'media':
      return part.media.map(
        (media) => html`<mb-media .media=${media} .actions=${actions} .name=${name}></mb-media>`,
      );
    case 'colors':
      return renderColors(part, actions);
    case 'facts':
      return renderFacts(part);
    default:
      return assertNever(part);
  }
}
