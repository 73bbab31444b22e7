import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ExperimentSetup, SetUpValues } from '../../../src/domain/experimentSetup';
import { percentDecoded } from '../../../src/domain/percentDecoded';
import { beginning, valueText } from '../../../src/domain/words';
import { iconButton, toolButton } from '../../shared/buttons';
import { typedIn } from '../../shared/controls';
import { icon } from '../../shared/icon';
import { focusProblem } from '../focusProblem';
import type { RunPage } from '../page';
import { placeName } from '../placeName';
import { columnsView, formFields } from './columns';
import { addModels, chooseInputs, editSetup, focusLater, measure, setupOf, stopVarying } from './edits';

/** The varied parts of the run, and the ways to vary more. */
export function section(page: RunPage): TemplateResult {
  measure(page);
  const setup = setupOf(page);
  const isSetUp = page.state.work?.experiment !== undefined;
  const discard = () => {
    const nothing = { vary: {}, models: [], over: undefined, repeats: 1, sample: undefined, at: undefined };
    editSetup(page, nothing, l10n.t('The experiment was discarded.'));
    page.update({ experimentShown: false });
  };
  return html`<section class="experiment" aria-labelledby="experiment-title">
    <div class="section-head">
      <h2 id="experiment-title" tabindex="-1">${icon('beaker')} ${l10n.t('Experiment')}</h2>
      ${isSetUp ? iconButton('trash', l10n.t('Discard Experiment'), discard) : nothing}
    </div>
    ${
      isSetUp
        ? nothing
        : html`<p class="quiet">
            ${l10n.t('Run this with several models, values or inputs, and compare the results in a table. To vary a field, choose Vary in its “…” menu (Ctrl+.). Nothing is sent before you are asked.')}
          </p>`
    }
    <dl>
      ${row(l10n.t('Models'), models(page, setup))} ${varied(page, setup)} ${row(l10n.t('Inputs'), inputs(page, setup))}
      ${row(l10n.t('Repeat'), repeats(page, setup))}
    </dl>
  </section>`;
}

export function focusSection(page: RunPage): void {
  focusLater(page, 'experiment-title');
}

function row(title: string, content: unknown): TemplateResult {
  return html`<dt>${title}</dt><dd>${content}</dd>`;
}

function models(page: RunPage, { models: added }: ExperimentSetup): TemplateResult {
  const remove = (slug: string, name: string) =>
    editSetup(
      page,
      { models: added.filter((model) => model.slug !== slug) },
      l10n.t('{0} was taken out of the experiment.', name),
    );
  return html`<ul class="chips">
      <li class="chip own"><span>${page.state.contract?.name ?? ''}</span></li>
      ${added.map(
        ({ slug, name }) => html`<li class="chip">
          <span>${name}</span>
          ${iconButton('close', l10n.t('Remove'), () => remove(slug, name), { name: l10n.t('Remove {0}', name) })}
        </li>`,
      )}
    </ul>
    ${toolButton('add', l10n.t('Add Model…'), () => addModels(page))}`;
}

/** The varied places, each with the way to its field; also those that the form has no longer. */
function varied(page: RunPage, { vary }: ExperimentSetup): unknown {
  const places = Object.entries(vary);
  if (places.length === 0) return nothing;
  const fields = formFields(page);
  return row(
    l10n.t('Values'),
    html`<ul class="varied-places">
      ${places.map(([pointer, values]) => {
        const name = fields.find((field) => field.pointer === pointer)?.label ?? placeName(pointer);
        return html`<li>
          <button type="button" class="text-button" @click=${() => focusProblem(page, pointer)}>${name}</button>: ${valuesText(values)}
          ${iconButton('close', l10n.t('Do not vary'), () => stopVarying(page, pointer, name), { name: l10n.t('Do not vary {0}', name) })}
        </li>`;
      })}
    </ul>`,
  );
}

/** Longer lists are in their fields. */
const MOST_SHOWN = 8;
const LONGEST_SHOWN = 40;

function valuesText(values: SetUpValues): string {
  if (!('values' in values)) return l10n.t('{0} to {1} by {2}', values.from, values.to, values.step);
  const shown = values.values.slice(0, MOST_SHOWN).map((value) => beginning(valueText(value), LONGEST_SHOWN));
  return [...shown, ...(values.values.length > MOST_SHOWN ? ['…'] : [])].join(', ');
}

function inputs(page: RunPage, { over }: ExperimentSetup): unknown {
  const choose = html`${toolButton('files', l10n.t('Run over Files…'), () => chooseInputs(page, 'files'))}
    ${toolButton('table', l10n.t('Run over Rows…'), () => chooseInputs(page, 'rows'))}`;
  if (!over) return choose;
  const remove = () =>
    editSetup(
      page,
      { over: undefined, at: undefined },
      l10n.t('The inputs were taken out of the experiment.'),
    );
  const name =
    over.kind === 'rows'
      ? percentDecoded(over.file.slice(over.file.lastIndexOf('/') + 1))
      : over.globs.join(', ');
  return html`<div class="chips">
      <span class="chip"><span>${icon(over.kind === 'rows' ? 'table' : 'files')} ${name}</span>
      ${iconButton('close', l10n.t('Remove'), remove, { name: l10n.t('Remove {0}', name) })}</span>
      ${choose}
    </div>
    ${over.kind === 'rows' ? columnsView(page, over) : folderLabels(page, over)}
    ${compared(page)}`;
}

function folderLabels(
  page: RunPage,
  over: Extract<ExperimentSetup['over'], { kind: 'files' }>,
): TemplateResult | typeof nothing {
  if (over.folderIsLabel === undefined) return nothing;
  const change = (event: Event) =>
    editSetup(page, { over: { ...over, folderIsLabel: (event.target as HTMLInputElement).checked } });
  return html`<label class="tick">
    <input type="checkbox" .checked=${live(over.folderIsLabel)} @change=${change} />
    ${l10n.t('The name of each file’s folder is the expected result')}
  </label>`;
}

/** Selects the part of a result that is compared with the expected value. */
function compared(page: RunPage): TemplateResult | typeof nothing {
  const { over, at = '' } = setupOf(page);
  const { results = [] } = page.state.experimentSize ?? {};
  const isExpected = over?.kind === 'rows' ? over.expected !== undefined : over?.folderIsLabel === true;
  if (!isExpected) return nothing;
  const change = (event: Event) => editSetup(page, { at: typedIn(event).trim() });
  const isWrong = at !== '' && !at.startsWith('/');
  return html`<label class="compared">
      ${l10n.t('Part of the result that is compared')}
      <input
        type="text"
        list="result-places"
        autocomplete="off"
        spellcheck="false"
        placeholder=${l10n.t('the whole result')}
        aria-invalid=${String(isWrong)}
        aria-describedby="compared-hint"
        .value=${at}
        @change=${change}
      />
    </label>
    <datalist id="result-places">${results.map((place) => html`<option value=${place}></option>`)}</datalist>
    <div class=${isWrong ? 'error' : 'hint'} id="compared-hint">
      ${
        isWrong
          ? l10n.t('A JSON pointer begins with “/”, for example “/label”.')
          : results.length === 0
            ? l10n.t(
                'A JSON pointer, for example “/label”. After one run, the parts of its result are proposed here.',
              )
            : l10n.t('A JSON pointer, for example “{0}”.', results[0]!)
      }
    </div>`;
}

function repeats(page: RunPage, { repeats: times, sample }: ExperimentSetup): TemplateResult {
  // The typed text stays through a rendering: the values are written only when they have changed.
  const numberOf = (event: Event) => Number(typedIn(event));
  const repeat = (event: Event) => {
    const next = numberOf(event) || 1;
    (event.target as HTMLInputElement).value = String(next);
    editSetup(page, { repeats: next });
  };
  const choose = (event: Event) => editSetup(page, { sample: numberOf(event) || undefined });
  return html`<div class="counts">
    <label>${l10n.t('Times each')}<input class="number" type="number" min="1" max="1000" step="1" .value=${String(times)} @change=${repeat} /></label>
    <label title=${l10n.t('Only so many of the inputs, chosen at random, and the same for every variation. A larger sample keeps them.')}
      >${l10n.t('Sample of inputs')}<input class="number" type="number" min="1" step="1" placeholder=${l10n.t('all')} .value=${sample === undefined ? '' : String(sample)} @change=${choose}
    /></label>
  </div>`;
}
