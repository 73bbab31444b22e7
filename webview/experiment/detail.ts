import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import type { CellDetail, ShownNumberDifferences } from '../../src/protocol/experiment';
import { iconButton, textButton } from '../shared/buttons';
import { codeBlock } from '../shared/codeBlock';
import { typedIn } from '../shared/controls';
import { errorMessage } from '../shared/errorMessage';
import { isDrawing } from '../shared/picture';
import { channelActions } from '../shared/results/channelActions';
import { stateText } from './cells';
import { inputPart } from './inputPart';
import type { ExperimentPage, OpenCell } from './page';
import { stripsView } from './strips';
import { blindLabel } from './viewSettings';

/** A cell beside the table: its input, every run with its full result, and the request; or two cells side by side. */
export function detailView(page: ExperimentPage, open: OpenCell): TemplateResult {
  const { detail, row, column } = open;
  const { compared, view } = page.state;
  const cellTitle = (cell: OpenCell) =>
    view.blind === undefined ? cell.detail?.title : blindLabel(cell.place);
  const isPair = compared !== undefined && (compared.row !== row || compared.column !== column);
  const close = () => page.closeBeside();
  return html`<aside class=${isPair ? 'wide' : ''} aria-label=${l10n.t('Cell')} @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}>
    <div class="title line">
      <h2>${(detail && cellTitle(open)) ?? l10n.t('Loading…')}</h2>
      ${iconButton('close', l10n.t('Close'), close)}
    </div>
    <div class="actions line wraps">${comparison(page, open, isPair)}</div>
    ${isPair && detail && compared.detail ? pictures(page, [compared.detail, cellTitle(compared)], [detail, cellTitle(open)]) : nothing}
    ${isPair && page.state.numbers ? numbers(page.state.numbers) : nothing}
    ${detail ? stripsView(page, row, detail) : nothing}
    <div class="cells-beside ${isPair ? 'pair' : ''}">
      ${
        isPair && compared.detail
          ? html`<section aria-label=${cellTitle(compared)}><h3>${cellTitle(compared)}</h3>${content(page, compared.detail, compared.row, compared.column)}</section>`
          : nothing
      }
      <section aria-label=${cellTitle(open) ?? l10n.t('Cell')}>${detail ? content(page, detail, row, column) : nothing}</section>
    </div>
  </aside>`;
}

/** The numbers that differ; empty when all are equal. */
function numbers({ rows, more }: ShownNumberDifferences): unknown {
  if (rows.length === 0) return nothing;
  return html`<table class="numbers">
      <caption>${l10n.t('Numbers that differ')}</caption>
      <thead><tr><th scope="col">${l10n.t('Place')}</th><th scope="col">${l10n.t('First')}</th><th scope="col">${l10n.t('Second')}</th><th scope="col">${l10n.t('Difference')}</th></tr></thead>
      <tbody>${rows.map(
        ({ pointer, first, second, difference }) =>
          html`<tr><th scope="row">${pointer || '/'}</th><td>${first}</td><td>${second}</td><td>${difference}</td></tr>`,
      )}</tbody>
    </table>
    ${more === 0 ? nothing : html`<p class="quiet">${l10n.t('{0} more', more)}</p>`}`;
}

type TitledDetail = readonly [CellDetail, string | undefined];

/** The pictures of two cells side by side, where both have one, and in one place with a line that is moved over them. */
function pictures(page: ExperimentPage, ...cells: readonly [TitledDetail, TitledDetail]): unknown {
  const shown = cells.flatMap(([{ runs }, name = '']) => {
    const src = runs.flatMap(({ picture }) => picture ?? [])[0];
    return src === undefined ? [] : { src, name };
  });
  if (shown.length < 2) return nothing;
  const swipe = async () => (await import('../shared/lightbox')).openLightbox(shown, 0, { share: 50 });
  return html`<div class="cells-beside pair">${shown.map(({ src, name }) => (isDrawing(src) ? nothing : html`<img src=${src} alt=${name} />`))}</div>
    ${textButton(l10n.t('Swipe'), () => page.ask(swipe()))}`;
}

/** Comparing begins with this cell; the next opened cell is shown beside it. */
function comparison(page: ExperimentPage, open: OpenCell, isPair: boolean): TemplateResult {
  const { compared } = page.state;
  if (!compared) return textButton(l10n.t('Compare…'), () => page.update({ compared: open }));
  const stop = textButton(l10n.t('Stop Comparing'), () => page.update({ compared: undefined }));
  if (!isPair) return html`<p role="status">${l10n.t('Choose the cell to compare with.')}</p>${stop}`;
  const places = {
    first: { row: compared.row, column: compared.column },
    second: { row: open.row, column: open.column },
  };
  const show = () => page.ask(page.host.call('compare', places));
  // The diff editor names both columns.
  return html`${page.state.view.blind !== undefined ? nothing : textButton(l10n.t('Show Differences'), show)} ${stop}`;
}

function content(page: ExperimentPage, detail: CellDetail, row: number, column: number): TemplateResult {
  return html`<div>${detail.inputs.map(inputPart)}</div>
    ${detail.expected === undefined ? nothing : html`<p>${l10n.t('expected {0}', detail.expected)}</p>`}
    ${detail.runs.map((run) => runView(page, run, detail.runs.length))}
    ${page.state.view.blind === undefined ? comparedValues(page, detail) : nothing}
    ${noteField(page, detail, row, column)}
    ${
      detail.request === undefined || page.state.view.blind !== undefined
        ? nothing
        : html`<details><summary>${l10n.t('Request')}</summary>${codeBlock(detail.request, 'json')}</details>
            ${textButton(l10n.t('Use This Variation…'), () => page.ask(page.host.call('useVariation', { row, column })))}`
    }`;
}

/** The values of the result: a click compares that part of all results of the model. */
function comparedValues(page: ExperimentPage, { compare }: CellDetail): TemplateResult | typeof nothing {
  if (!compare) return nothing;
  const { model, parts } = compare;
  const choose = (at: string) => page.ask(page.host.call('edit', { compared: { model, at } }));
  const label =
    model === undefined
      ? l10n.t('Compared with the expected value:')
      : l10n.t('Compared with the expected value, of {0}:', model);
  return html`<div class="actions line wraps" role="group" aria-label=${label}><span class="quiet">${label}</span>
    ${parts.map(({ at, value }) => textButton(html`${at} <strong>${value}</strong>`, () => choose(at), { pressed: at === compare.at }))}
  </div>`;
}

/** Judgements of models, with answers that are not understood, and those of other people. */
function judgements({ verdicts = [], ratings = [] }: CellDetail['runs'][number]): TemplateResult {
  return html`${verdicts.map(
    ({ text, raw }) => html`<p>${text}</p>${raw === undefined ? nothing : codeBlock(raw, 'json')}`,
  )}${ratings.map((text) => html`<p>${text}</p>`)}`;
}

/** One's own note about the run that the cell shows. */
function noteField(
  page: ExperimentPage,
  { runs }: CellDetail,
  row: number,
  column: number,
): TemplateResult | typeof nothing {
  if (runs.every(({ state }) => state === 'missing')) return nothing;
  const note = runs.flatMap((run) => run.note ?? [])[0] ?? '';
  const save = (event: Event) => void page.note({ row, column, place: column }, typedIn(event));
  return html`<label class="stacked-label note">${l10n.t('Note')}
    <textarea rows="2" maxlength="10000" .value=${note} @change=${save}></textarea></label>`;
}

function runView(page: ExperimentPage, run: CellDetail['runs'][number], runs: number): TemplateResult {
  return html`<div>
    ${runs > 1 ? html`<h3>${l10n.t('Run no. {0}', run.repeat + 1)}</h3>` : nothing}
    <p class="quiet">${[stateText(run.state), ...(page.state.view.blind !== undefined ? [] : run.facts.map(({ name, value }) => `${name} ${value}`))].join(' · ')}</p>
    ${run.reason === undefined ? nothing : html`<p class="problem">${run.reason}</p>`}
    ${run.isAccepted ? textButton(l10n.t('Ask Again'), () => page.ask(page.host.call('askAgain', null))) : nothing}
    ${page.state.view.blind === undefined ? judgements(run) : nothing}
    ${run.result === undefined ? nothing : fullResult(page, run.result, JSON.stringify(run.facts))}
  </div>`;
}

const shown = new Map<string, Promise<unknown>>();

/** The full result, with the views of every result; their code is loaded for the first one. */
function fullResult(page: ExperimentPage, result: string, facts: string): unknown {
  // A run that was retried has the same ID, and another time.
  const key = `${result} ${facts}`;
  const view = shown.get(key) ?? loadResult(page, result);
  shown.set(key, view);
  return until(view, html`<p class="quiet">${l10n.t('Loading…')}</p>`);
}

async function loadResult(page: ExperimentPage, result: string): Promise<unknown> {
  const { host } = page;
  const reload = () => {
    shown.clear();
    page.update();
  };
  try {
    const [view, { renderResult }] = await Promise.all([
      host.call('resultView', { result }),
      import('../shared/results/renderResult'),
    ]);
    return view ? renderResult(view, channelActions(host, result, reload)) : nothing;
  } catch (error) {
    return html`<p class="problem" role="alert">${errorMessage(error)}</p>`;
  }
}
