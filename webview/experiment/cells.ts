import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { assertNever } from '../../src/domain/assertNever';
import type { ShownCell } from '../../src/protocol/experiment';
import { icon } from '../shared/icon';
import { markdown } from '../shared/markdown';
import { scoreText } from '../shared/scoreText';
import { inputPart } from './inputPart';
import { judgedSigns } from './judging';
import type { ShownRow } from './rowBlocks';
import { strip } from './strips';

/**
 * The input of a row: a thumbnail, a player's sign or the text, and the expected value. All of it is text, never
 * markup.
 */
export function inputContent({ name, inputs, expected }: ShownRow): TemplateResult {
  return html`${inputs.map(inputPart)}
    <span class="facts">
      <span class="quiet" title=${name}>${name}</span>
      ${expected === undefined ? nothing : html`<span class="quiet">${l10n.t('expected {0}', expected)}</span>`}
    </span>`;
}

/** The content of a cell: the outcome in its own form, then its spread, cost and time. @param isMarkdown texts are */
export function cellContent(cell: ShownCell, isMarkdown = false): TemplateResult {
  const difference =
    cell.difference === undefined ? undefined : l10n.t('{0} to the baseline', cell.difference);
  const more = cell.more === undefined ? undefined : morePictures(cell.more);
  const facts = [more, difference, cell.spread, ...(cell.verdicts ?? []), cell.cost, cell.time].filter(
    (fact) => fact !== undefined,
  );
  return html`${stateMark(cell)} ${judgedSigns(cell)} ${isMarkdown && cell.kind === 'text' ? html`<div class="outcome">${markdown(cell.text)}</div>` : outcome(cell)}
    ${cell.src !== undefined && cell.kind !== 'picture' && cell.kind !== 'media' ? html`<mb-thumbnail class="beside" .src=${cell.src}></mb-thumbnail>` : nothing}
    ${facts.length === 0 ? nothing : html`<span class="facts quiet">${facts.join(' · ')}</span>`}`;
}

/** The others are in the full result beside the table. */
function morePictures(more: number): string {
  return more === 1 ? l10n.t('+1 picture') : l10n.t('+{0} pictures', more);
}

export function outcome(cell: ShownCell): TemplateResult {
  const { kind, text, score, src, hits } = cell;
  if (hits) return strip(hits);
  switch (kind) {
    case 'picture':
      return src === undefined
        ? html`<span class="outcome">${icon('file-media')} ${text}</span>`
        : html`<mb-thumbnail .src=${src} title=${text}></mb-thumbnail>`;
    case 'media':
      return html`<span class="outcome">${icon('file')} ${text}</span>`;
    case 'label':
      return html`<span class="outcome" title=${text}><strong>${text}</strong>${
        score === undefined ? nothing : html` <span class="quiet">${scoreText(score)}</span>`
      }</span>`;
    case 'number':
      return html`<span class="outcome number">${text}</span>`;
    case 'json':
      return html`<code class="outcome" title=${text}>${text}</code>`;
    case 'text':
    case 'hits':
    case 'failure':
      return html`<span class="outcome" title=${text}>${text}</span>`;
    case 'none':
      return html``;
    default:
      return assertNever(kind);
  }
}

/** Signs with words for screen readers: neither colour nor icon alone gives the state. */
export function stateMark({ state, isRight, differs }: ShownCell): TemplateResult {
  return html`${stateSign(state)} ${
    isRight === undefined
      ? nothing
      : isRight
        ? sign('check', l10n.t('right'), 'right')
        : sign('close', l10n.t('wrong'), 'wrong')
  } ${differs ? sign('diff-modified', l10n.t('differs'), 'differing') : nothing}`;
}

/** The state of a run in words. */
export function stateText(state: 'finished' | 'failed' | 'unconfirmed' | 'missing'): string {
  switch (state) {
    case 'finished':
      return l10n.t('finished');
    case 'failed':
      return l10n.t('failed');
    case 'unconfirmed':
      return l10n.t('unconfirmed');
    case 'missing':
      return l10n.t('not run');
    default:
      return assertNever(state);
  }
}

function stateSign(state: ShownCell['state']): TemplateResult | typeof nothing {
  switch (state) {
    case 'finished':
    case 'empty':
      return nothing;
    case 'failed':
      return sign('error', l10n.t('failed'), 'failed');
    case 'unconfirmed':
      return sign('question', l10n.t('unconfirmed'), 'unconfirmed');
    case 'partly':
      return sign('circle-large-outline', l10n.t('some runs are missing'), 'quiet');
    case 'missing':
      return html`<span class="quiet">${l10n.t('not run')}</span>`;
    default:
      return assertNever(state);
  }
}

function sign(glyph: string, label: string, kind: string): TemplateResult {
  return html`<span class="sign ${kind}" role="img" aria-label=${label} title=${label}>${icon(glyph)}</span>`;
}
