import '../shared/toolkit';
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { TableHead } from '../../src/protocol/experiment';
import type { RunOffer, ShownSetUp } from '../../src/protocol/experimentSetUp';
import { formatNumber } from '../../src/wording/number';
import { iconButton, textButton } from '../shared/buttons';
import { checkbox, radioGroup } from '../shared/choices';
import { choice, typedIn } from '../shared/controls';
import { icon } from '../shared/icon';
import { textMenuButton } from '../shared/menu';
import type { ExperimentPage } from './page';
import { optionsSection } from './setUpOptions';
import { bar } from './toolbar';

type Inputs = NonNullable<ShownSetUp['inputs']>;

/** The setup of an experiment: its model, its inputs in their sent form, and the compared part of a result. */
export function setUpView(page: ExperimentPage, head: TableHead, setUp: ShownSetUp): TemplateResult {
  const { model, inputs, parts, hasExpected, ofHits } = setUp;
  return html`<div class="set-up">
    ${columnsSection(page, head, setUp)} ${inputs ? inputsSection(page, inputs) : inputChoice(page, model !== undefined)}
    ${inputs && hasExpected && !ofHits ? comparedSection(page, head, setUp) : model ? html`<section>${metricChips(page, head)}</section>` : nothing}
    ${ofHits ? html`<p class="quiet">${l10n.t('Hits are measured in the order of the service, without the query itself.')}</p>` : nothing}
    ${inputs && !hasExpected && parts.length === 0 ? html`<p class="quiet">${l10n.t('Nothing is expected of the results: they are shown, and not measured.')}</p>` : nothing}
    ${model ? optionsSection(page, head) : nothing}
    ${setUp.requests.length > 0 ? requests(setUp) : nothing}
  </div>`;
}

/** "labels.csv with Language Identification". */
export function setUpTitle({ model, inputs }: ShownSetUp): string {
  if (model && inputs) return l10n.t('{0} with {1}', inputs.name, model.name);
  return model?.name ?? inputs?.name ?? l10n.t('New experiment');
}

/** The models and the varied places: each combination of their values is a column of the table. */
function columnsSection(page: ExperimentPage, head: TableHead, { model }: ShownSetUp): TemplateResult {
  const choose = (more: boolean) => void page.ask(page.host.call('chooseModel', { more }));
  const vary = (pointer?: string) => void page.ask(page.host.call('vary', { pointer }));
  const stopVarying = (pointer: string) => page.ask(page.host.call('edit', { vary: { pointer } }));
  return html`<section>
    <h2>${l10n.t('Columns of the table')}</h2>
    <div class="chips line wraps">
      ${
        model
          ? html`<button type="button" class="chip on" title=${l10n.t('Choose another model')} @click=${() => choose(false)}>${model.name}</button>
              ${head.varied.map(
                ({ pointer, name, text }) => html`<span class="line"
                  ><button type="button" class="chip on" title=${l10n.t('Change the values of {0}', pointer)} @click=${() => (pointer === '/model' ? choose(true) : vary(pointer))}>${name}: ${text}</button
                  >${iconButton('close', l10n.t('Do not vary {0}', name), () => stopVarying(pointer))}</span>`,
              )}
              <button type="button" class="chip" @click=${() => choose(true)}>${icon('add')} ${l10n.t('Model…')}</button>
              <button type="button" class="chip" @click=${() => vary()}>${icon('add')} ${l10n.t('Vary a Field…')}</button>`
          : textButton(l10n.t('Choose a Model…'), () => choose(false), { kind: 'primary' })
      }
    </div>
  </section>`;
}

function inputChoice(page: ExperimentPage, hasModel: boolean): TemplateResult {
  const choose = (kind: 'rows' | 'files') => void page.ask(page.host.call('chooseInputs', { kind }));
  return html`<section>
    <h2>${l10n.t('Inputs')}</h2>
    <div class="chips line wraps">
      ${textButton(l10n.t('Choose a Table…'), () => choose('rows'), { kind: hasModel ? 'primary' : 'secondary' })}
      ${textButton(l10n.t('Choose Files or a Folder…'), () => choose('files'))}
    </div>
    <p class="quiet">${hasModel ? l10n.t('Without inputs, the request itself runs once in each column.') : nothing}
      ${l10n.t('A table is CSV, TSV or JSONL. In a folder with one folder for each class, the folders are the labels.')}</p>
  </section>`;
}

function inputsSection(page: ExperimentPage, inputs: Inputs): TemplateResult {
  const choose = (kind: 'rows' | 'files') => page.ask(page.host.call('chooseInputs', { kind }));
  const others = textMenuButton(l10n.t('Other Inputs'), () => [
    { label: l10n.t('Choose a Table…'), act: () => choose('rows') },
    { label: l10n.t('Choose Files or a Folder…'), act: () => choose('files') },
  ]);
  return html`<section>
    <div class="line wraps"><h2>${l10n.t('Inputs')} <span class="quiet">${inputs.text}</span></h2><span class="grow"></span>${others}</div>
    ${inputs.byFolder === undefined ? columnsOf(page, inputs) : filesOf(page, inputs)}
  </section>`;
}

/** The columns of a table with their uses, and their first values. */
function columnsOf(page: ExperimentPage, inputs: Inputs): TemplateResult {
  const use = (column: string) => (event: Event) =>
    void page.ask(page.host.call('useColumn', { column, use: typedIn(event) }));
  const uses = [
    { place: '', label: l10n.t('not used') },
    ...inputs.places.map(({ place, label }) => ({ place, label: `→ ${label}` })),
    { place: 'expected', label: l10n.t('= expected') },
  ];
  const rows = Math.max(0, ...inputs.columns.map(({ values }) => values.length));
  return html`<div class="columns-of"><table>
      <thead><tr>${inputs.columns.map(
        ({ name, label, use: own }) => html`<th scope="col">
          <div>${label}</div>
          <select aria-label=${l10n.t('Use of column {0}', label)} @change=${use(name)}>
            ${uses.map(({ place, label }) => html`<option value=${place} .selected=${live(place === own)}>${label}</option>`)}
          </select>
        </th>`,
      )}</tr></thead>
      <tbody>${Array.from(
        { length: rows },
        (_, row) =>
          html`<tr>${inputs.columns.map(
            ({ values, use: own }) =>
              html`<td class=${own === '' ? 'clip quiet' : 'clip'} title=${values[row] ?? ''}>${values[row] ?? ''}</td>`,
          )}</tr>`,
      )}</tbody>
    </table></div>`;
}

function filesOf(page: ExperimentPage, { files, byFolder }: Inputs): TemplateResult {
  return html`<div class="files-of">${files.map(
    ({ name, inputs, expected }) => html`<div class="line">
        ${inputs[0]?.src === undefined ? icon('file') : html`<mb-thumbnail .src=${inputs[0].src}></mb-thumbnail>`}
        <span class="clip" title=${name}>${name}</span>
        ${expected === undefined ? nothing : html`<span class="chip">${expected}</span>`}
      </div>`,
  )}</div>
    ${checkbox(l10n.t('Each file’s label is the name of its folder'), byFolder === true, (on) => page.ask(page.host.call('labelByFolder', { on })))}`;
}

function comparedSection(page: ExperimentPage, head: TableHead, setUp: ShownSetUp): TemplateResult {
  const { parts, results, paid, trial } = setUp;
  const isIdle = head.progress.state === 'idle';
  const about =
    results === 0
      ? l10n.t('One trial run shows what the results have.')
      : paid === undefined
        ? l10n.t('From {0} results', results)
        : l10n.t('From {0} results, {1}', results, paid);
  const compare = (at: string) => void page.ask(page.host.call('edit', { compared: { at } }));
  return html`<section class="card">
    <div class="line wraps"><h2>${l10n.t('What is compared')}</h2> <span class="quiet">${about}</span><span class="grow"></span>
      ${
        trial.runs === 0
          ? nothing
          : textButton(
              offerText(l10n.t('Try {0}', rowsText(trial.runs)), trial),
              () => page.startSetUp('trial', trial),
              { disabled: !isIdle },
            )
      }
    </div>
    ${
      parts.length === 0
        ? nothing
        : html`<div class="parts">${radioGroup(
            l10n.t('What is compared'),
            parts.map(({ name, at, values, verdict, kind }) => ({
              disabled: kind === 'never',
              content: html`<span class="clip" title=${at}>${name}</span>
                <code class="clip" title=${values.join(' · ')}>${values.join(' · ')}</code>
                <span class="verdict clip quiet ${kind}" title=${verdict}>${verdict}</span>`,
            })),
            parts.findIndex(({ isCompared }) => isCompared),
            (index) => compare(parts[index]!.at),
          )}</div>`
    }
    ${modelParts(page, head)} ${metricChips(page, head)}
  </section>`;
}

/** Where the results of models differ: the compared part of each. */
function modelParts(page: ExperimentPage, { compared }: TableHead): TemplateResult | typeof nothing {
  const own = compared.filter(({ model }) => model !== undefined);
  if (own.length === 0) return nothing;
  return html`<div class="chips line wraps">${own.map(({ model, at, parts }) => {
    const places = [...new Set(['', at, ...parts])];
    const options = places.map(
      (place) => [place, place === '' ? l10n.t('the whole result') : place] as const,
    );
    return choice(l10n.t('Compared part of results of {0}', model!), at, options, (chosen) =>
      page.ask(page.host.call('edit', { compared: { model, at: chosen } })),
    );
  })}</div>`;
}

function metricChips(page: ExperimentPage, { asked, metricNames }: TableHead): TemplateResult {
  const others = metricNames.filter((name) => !asked.includes(name));
  const change = (metrics: readonly string[]) =>
    void page.ask(page.host.call('edit', { metrics: [...metrics] }));
  return html`<div class="chips line wraps">
    <span class="quiet">${l10n.t('Metrics')}</span>
    ${asked.map((name) => html`<button type="button" class="chip on" aria-label=${l10n.t('Remove {0}', name)} title=${l10n.t('Remove {0}', name)} @click=${() => change(asked.filter((one) => one !== name))}>${name} ${icon('close')}</button>`)}
    ${textMenuButton(l10n.t('Add Metric…'), () => [
      ...others.map((name) => ({ label: name, act: () => change([...asked, name]) })),
      ...(others.length > 0 ? (['line'] as const) : []),
      { label: l10n.t('Add Check…'), act: () => page.ask(page.host.call('addCheck', null)) },
      { label: l10n.t('Add Judge…'), act: () => page.ask(page.host.call('addJudge', null)) },
    ])}
  </div>`;
}

function requests({ requests: shown }: ShownSetUp): TemplateResult {
  return html`<details><summary>${shown.length === 1 ? l10n.t('The request as it would be sent') : l10n.t('The first {0} requests as they would be sent', shown.length)}</summary>
    <div class="requests cards">${shown.map((text) => html`<pre class="code-block">${text}</pre>`)}</div></details>`;
}

/** The buttons below: each shows the number of runs it starts, and their possible cost. */
export function setUpBar(page: ExperimentPage, { progress }: TableHead, setUp: ShownSetUp): TemplateResult {
  const { few, all, size } = setUp;
  const isIdle = progress.state === 'idle';
  const isRunning = progress.state === 'running';
  const isFewer = few.runs > 0 && few.runs < all.runs;
  return html`${isRunning ? bar(progress) : nothing}
    ${
      isFewer
        ? textButton(
            offerText(l10n.t('Run {0} First', formatNumber(few.runs)), few),
            () => page.startSetUp('few', few),
            { disabled: !isIdle },
          )
        : nothing
    }
    ${textButton(
      html`${icon('play')} ${all.runs === 0 ? l10n.t('Run') : offerText(l10n.t('Run {0}', formatNumber(all.runs)), all)}`,
      () => page.startSetUp('missing', all),
      { kind: 'primary', disabled: !isIdle || all.runs === 0 },
    )}
    <span class="quiet">${size}</span><span class="grow"></span>
    <span class="quiet" role="status">${progress.text ?? ''}</span>
    ${textButton(l10n.t('Show Table'), () => page.update({ isSettingUp: false }))}`;
}

/** "Run 60 (about $0.06)". */
function offerText(action: string, { cost }: RunOffer): string {
  return cost === undefined ? action : `${action} (${cost})`;
}

function rowsText(count: number): string {
  return count === 1 ? l10n.t('1 Row') : l10n.t('{0} Rows', formatNumber(count));
}
