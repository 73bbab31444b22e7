import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { assertNever } from '../../src/domain/assertNever';
import type { ComparedPlace, ComparedRun, ComparedValue, RunComparison } from '../../src/protocol/compare';
import type { ResultView } from '../../src/results/resultView';
import { visibleText } from '../../src/wording/plainText';
import { toolButton } from '../shared/buttons';
import { checkbox } from '../shared/choices';
import { icon } from '../shared/icon';
import { channelActions } from '../shared/results/channelActions';
import { renderResult } from '../shared/results/renderResult';
import type { ComparePage } from './page';

/** The whole page: the differences between the requests, and the results side by side. */
export function compareView(page: ComparePage): TemplateResult {
  const { comparison, notice } = page.state;
  if (!comparison) return html`<p role="status">${notice ?? l10n.t('Loading…')}</p>`;
  const { left, right } = comparison;
  return html`<div class="title line wraps">
      <h1>${l10n.t('Compare Runs')}</h1>
      ${toolButton('diff', l10n.t('Show Differences as JSON'), () => page.host.notify('showJson', null))}
    </div>
    ${notice === undefined ? nothing : html`<p class="problem" role="alert">${icon('error')} ${notice}</p>`}
    <div class="pair">${[left, right].map((run) => runHead(run, page))}</div>
    ${requests(comparison, page)}
    <h2>${l10n.t('Result')}</h2>
    <div class="pair">${[left, right].map((run, index) => resultView(run, index, page))}</div>`;
}

function runHead({ id, name, facts, message }: ComparedRun, { host }: ComparePage): TemplateResult {
  return html`<header>
    <h2><button class="text-button" type="button" @click=${() => host.notify('openRun', { id })}>${visibleText(name)}</button></h2>
    <p class="quiet">${visibleText(facts.join(' · '))}</p>
    ${message === undefined ? nothing : html`<p>${message}</p>`}
  </header>`;
}

function requests({ places, more }: RunComparison, page: ComparePage): TemplateResult {
  const { showsSame } = page.state;
  const same = places.filter((place) => place.same).length;
  const shown = showsSame ? places : places.filter((place) => !place.same);
  return html`<h2>${l10n.t('Request')}</h2>
    <p class="quiet" role="status">${differences(places.length - same)}</p>
    ${
      same === 0
        ? nothing
        : checkbox(
            same === 1 ? l10n.t('Show 1 equal value') : l10n.t('Show {0} equal values', same),
            showsSame,
            (isOn) => page.update({ showsSame: isOn }),
          )
    }
    ${
      shown.length === 0
        ? nothing
        : html`<div class="places" role="table" aria-label=${l10n.t('Request')}>
            <div class="live" role="row">
              <span role="columnheader">${l10n.t('Value')}</span>
              <span role="columnheader">${l10n.t('First run')}</span>
              <span role="columnheader">${l10n.t('Second run')}</span>
            </div>
            ${shown.map(placeRow)}
          </div>`
    }
    ${more === 0 ? nothing : html`<p class="quiet">${more === 1 ? l10n.t('1 more value is in the JSON.') : l10n.t('{0} more values are in the JSON.', more)}</p>`}`;
}

function differences(count: number): string {
  if (count === 0) return l10n.t('The requests are equal.');
  return count === 1 ? l10n.t('1 value differs.') : l10n.t('{0} values differ.', count);
}

function placeRow({ name, left, right, same }: ComparedPlace): TemplateResult {
  return html`<div role="row" class=${same ? 'pair quiet' : 'pair'}>
    <span role="rowheader" class="quiet">${visibleText(name)}</span>
    <div role="cell">${valueView(left, right)}</div>
    <div role="cell">${valueView(right, left)}</div>
  </div>`;
}

function valueView(value: ComparedValue, other: ComparedValue): TemplateResult {
  switch (value.kind) {
    case 'none':
      return html`<span class="quiet">${l10n.t('not sent')}</span>`;
    case 'text':
      return textView(value.text, other.kind === 'text' ? other.text : value.text);
    case 'media':
      return value.src === undefined
        ? html`<span>${icon('file-media')} ${value.name}</span>`
        : html`<figure><mb-thumbnail .src=${value.src}></mb-thumbnail><figcaption>${value.name}</figcaption></figure>`;
    default:
      return assertNever(value);
  }
}

/** A text with its differences from the other one marked. */
function textView(text: string, other: string): TemplateResult {
  const { from, to } = changedPart(text, other);
  return html`<span class="pre">${text.slice(0, from)}${
    to > from ? html`<mark>${text.slice(from, to)}</mark>` : nothing
  }${text.slice(to)}</span>`;
}

/**
 * Where a text differs from another: all between the common beginning and the common end, in whole words. Empty where
 * they are equal, or where the other one only has more.
 */
function changedPart(text: string, other: string): { readonly from: number; readonly to: number } {
  if (text === other) return { from: 0, to: 0 };
  const [words, others] = [splitWords(text), splitWords(other)];
  const most = Math.min(words.length, others.length);
  let start = 0;
  while (start < most && words[start] === others[start]) start++;
  let end = 0;
  while (end < most - start && words.at(-1 - end) === others.at(-1 - end)) end++;
  const lengthOf = (some: readonly string[]) => some.join('').length;
  return {
    from: lengthOf(words.slice(0, start)),
    to: text.length - lengthOf(words.slice(words.length - end)),
  };
}

/** Words, and each character between them; together they are the text. */
function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];
}

/** Labels of the second result in the order of the first, so that each is beside its own. */
function ordered({ state: { comparison, results } }: ComparePage, id: string): ResultView | undefined {
  const view = results[id];
  const first = results[comparison?.left.id ?? ''];
  if (!view || !first || view === first) return view;
  const sections = view.sections.map((section) => {
    const { part } = section;
    const other = first.sections.find(({ pointer }) => pointer === section.pointer)?.part;
    if (part.kind !== 'labels' || other?.kind !== 'labels') return section;
    const order = new Map(other.labels.map(({ label }, at) => [label, at]));
    const labelRank = ({ label }: { label: string }) => order.get(label) ?? order.size;
    return {
      ...section,
      part: { ...part, labels: part.labels.toSorted((a, b) => labelRank(a) - labelRank(b)) },
    };
  });
  return { ...view, sections };
}

function resultView({ id, hasResult }: ComparedRun, index: number, page: ComparePage): TemplateResult {
  const view = ordered(page, id);
  return html`<section aria-label=${index === 0 ? l10n.t('Result of the first run') : l10n.t('Result of the second run')}>
    ${
      view
        ? renderResult(
            view,
            channelActions(page.host, id, () => page.loadResults()),
          )
        : html`<p class="quiet">${hasResult ? l10n.t('Loading…') : l10n.t('No result is stored.')}</p>`
    }
  </section>`;
}
