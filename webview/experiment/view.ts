import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { TableHead } from '../../src/protocol/experiment';
import { iconButton, textButton } from '../shared/buttons';
import { detailView } from './detail';
import { changesView, nearView } from './filterBar';
import { gridView } from './grid';
import { judgeBar } from './judging';
import type { ExperimentPage } from './page';
import { toolbar } from './toolbar';

/** The whole page. */
export function experimentView(page: ExperimentPage): TemplateResult {
  const { head, notice, open } = page.state;
  if (head && page.state.isSettingUp) return setUpPage(page, head);
  const isPlot = page.state.view.plot?.isShown === true && page.state.view.blind === undefined;
  if (!head) return html`<p class="waiting" role="status">${notice ?? l10n.t('Loading…')}</p>`;
  return html`<header class="line wraps">
      <h1 class="live">${head.name}</h1>
      ${toolbar(page, head)}
    </header>
    ${notice === undefined ? nothing : html`<p class="problem" role="alert">${notice}</p>`}
    ${problems(page, head)} ${head.columns.length === 0 || isPlot ? nothing : html`${changesView(page)}${nearView(page)}${judgeBar(page, head)}`}
    <div class="table-and-cell">
      ${head.columns.length === 0 ? nothing : isPlot ? plotOf(page, head) : gridView(page, head)} ${open ? detailView(page, open) : beside(page, head)}
    </div>
    <footer class="line wraps">
      <span>${head.size}</span>
      ${head.description ? html`<span class="quiet">${head.description}</span>` : nothing}
      ${
        head.common.length === 0
          ? nothing
          : html`<span class="quiet">${l10n.t('The same in all columns: {0}', head.common.map(({ name, value }) => `${name} ${value}`).join(', '))}</span>`
      }
    </footer>`;
}

function plotOf(page: ExperimentPage, head: TableHead): TemplateResult {
  const { plotView, view } = page.state;
  return plotView && view.plot
    ? plotView(page, head, view.plot)
    : html`<p class="waiting" role="status">${l10n.t('Loading…')}</p>`;
}

function setUpPage(page: ExperimentPage, head: TableHead): TemplateResult {
  const { setUp, setUpParts, notice } = page.state;
  const text = () => page.ask(page.host.call('reopenAsText', null));
  return html`<header class="line wraps">
      <h1>${setUp && setUpParts ? setUpParts.setUpTitle(setUp) : head.name}</h1>
      <span class="grow"></span>
      ${textButton(l10n.t('Open as Text'), text)}
    </header>
    ${notice === undefined ? nothing : html`<p class="problem" role="alert">${notice}</p>`}
    ${setUp?.model ? problems(page, head) : nothing}
    ${setUp && setUpParts ? setUpParts.setUpView(page, head, setUp) : html`<p class="waiting" role="status">${l10n.t('Loading…')}</p>`}
    <footer class="line wraps">${setUp && setUpParts ? setUpParts.setUpBar(page, head, setUp) : nothing}</footer>`;
}

/** The charts beside the table; blind, they would tell the columns. */
function beside(page: ExperimentPage, head: TableHead): TemplateResult | typeof nothing {
  const { charts, chartsView, view } = page.state;
  if (view.blind !== undefined || !charts) return nothing;
  const close = () => page.closeBeside();
  return html`<aside aria-label=${l10n.t('Charts')} @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}>
    <div class="title line"><h2>${l10n.t('Charts')}</h2>${iconButton('close', l10n.t('Close'), close)}</div>
    ${chartsView ? chartsView(page, head) : html`<p class="quiet">${l10n.t('Loading…')}</p>`}
  </aside>`;
}

/** Further problems are in the text editor. */
const MOST_PROBLEMS = 5;

function problems(page: ExperimentPage, head: TableHead): TemplateResult | typeof nothing {
  const { problems: headProblems } = head;
  const wrong = head.compared.filter(({ isWrong }) => isWrong);
  if (headProblems.length === 0 && wrong.length === 0) return nothing;
  const isError = headProblems.some(({ severity }) => severity === 'error');
  return html`<div class="banner ${isError ? 'error-banner' : 'warning'}" role="status"><div>
    ${headProblems.slice(0, MOST_PROBLEMS).map(({ message }) => html`<p>${message}</p>`)}
    ${wrong.map((compared) => comparedChoice(page, compared))}
    ${headProblems.length > MOST_PROBLEMS ? html`<p>${l10n.t('{0} more problems', headProblems.length - MOST_PROBLEMS)}</p>` : nothing}
  </div></div>`;
}

/** Parts that are offered at once, of one model and of each of several; _Set Up_ has all. */
const MOST_PARTS = { one: 5, each: 3 };

/** The parts of a model's results that can be compared instead: a click changes the file. */
function comparedChoice(
  page: ExperimentPage,
  { model, parts }: TableHead['compared'][number],
): TemplateResult | typeof nothing {
  if (parts.length === 0 || page.state.view.blind !== undefined) return nothing;
  const compare = (at: string) => page.ask(page.host.call('edit', { compared: { model, at } }));
  return html`<p class="line wraps">${parts
    .slice(0, model === undefined ? MOST_PARTS.one : MOST_PARTS.each)
    .map((part) =>
      textButton(
        model === undefined ? l10n.t('Compare {0}', part) : l10n.t('Compare {0} of {1}', part, model),
        () => compare(part),
      ),
    )}</p>`;
}
