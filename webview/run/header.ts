import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { formOf } from '../../src/forms/buildForm';
import type { Field } from '../../src/forms/fieldTypes';
import { formatPrice } from '../../src/wording/money';
import { visibleText } from '../../src/wording/plainText';
import { iconButton, textButton } from '../shared/buttons';
import { typedIn } from '../shared/controls';
import { icon } from '../shared/icon';
import { type MenuItem, menuButton } from '../shared/menu';
import { tabList } from '../shared/tabs';
import { aboutModel } from './about';
import { varyItems } from './experiment';
import { fileLine, saveAs } from './fileLine';
import { fieldIds } from './form/ids';
import type { RunPage } from './page';

/** Two lines: the model; then the views of its request, its mode, and its scope when the mode is vector-backed. */
export function header(page: RunPage): TemplateResult {
  const { mode } = page;
  const { contract, work, panel } = page.state;
  const price = formatPrice(mode?.price ?? contract?.price, document.documentElement.lang);
  const name = visibleText(contract?.name ?? panel?.modelName ?? '');
  return html`<header class="head">
    <div class="head-line line">
      <h1 class="clip" title=${name}>${name}</h1>
      ${price ? html`<span class="quiet price">${price}</span>` : nothing}
      ${contract ? html`${aboutModel(page, contract)} ${star(page)}` : nothing}
      ${fileLine(page)}
    </div>
    ${
      contract && work
        ? html`<div class="head-line tools-line line wraps">
            ${tabs(page)}
            <div class="head-fields line wraps">${modes(page)} ${mode?.vectorBacked ? scope(page) : nothing}</div>
            ${menuButton(l10n.t('Examples and More'), () => headMenu(page, mode?.vectorBacked ? scopeField(page) : undefined))}
          </div>`
        : nothing
    }
    ${scopeProblems(page)}
  </header>`;
}

function tabs(page: RunPage): TemplateResult {
  const items = [
    { id: 'form' as const, label: l10n.t('Form') },
    { id: 'json' as const, label: l10n.t('JSON'), mark: page.isBroken ? l10n.t('not valid') : undefined },
    { id: 'code' as const, label: l10n.t('Code') },
  ];
  const { tab } = page.state.work!;
  return tabList(l10n.t('Request'), items, tab, (next) => page.editWork({ tab: next }), 'request');
}

/** Favorites are first in the catalog. */
function star(page: RunPage): unknown {
  const { panel } = page.state;
  if (!panel) return nothing;
  const { favorite } = panel;
  const label = favorite ? l10n.t('Remove from Favorites') : l10n.t('Add to Favorites');
  return iconButton(favorite ? 'star-full' : 'star-empty', label, () => page.setFavorite(!favorite));
}

/** A choice only where there are several. */
function modes(page: RunPage): unknown {
  const { contract, work } = page.state;
  if (!contract || !work || contract.modes.length < 2) return nothing;
  return html`<label class="head-field line">
    <span class="quiet">${l10n.t('Mode')}</span>
    <select
      id="mode"
      .value=${live(work.draft.mode)}
      ?disabled=${page.isBroken}
      @change=${(event: Event) => page.chooseMode(typedIn(event))}
    >
      ${contract.modes.map(
        ({ name, title }) =>
          html`<option value=${name} ?selected=${name === work.draft.mode}>${visibleText(title ?? name)}</option>`,
      )}
    </select>
  </label>`;
}

/** Not of the form: sent beside the input. */
function scopeField(page: RunPage): Field {
  return {
    ...formOf({ type: 'string' }, page.state.work?.draft.scope, '/scope'),
    key: 'scope',
    label: l10n.t('Scope'),
    required: true,
  };
}

function scope(page: RunPage): unknown {
  const problems = page.problemsAt('/scope', false);
  const field = scopeField(page);
  return html`<div class="head-field line">
    <label class="quiet" for="scope" id=${fieldIds(field).label}>${field.label}</label>
    <input
      id="scope"
      type="text"
      role="combobox"
      aria-expanded="false"
      list="scopes"
      autocomplete="off"
      spellcheck="false"
      maxlength="200"
      .value=${live(page.state.work?.draft.scope ?? '')}
      ?disabled=${page.isBroken}
      aria-invalid=${problems.length > 0 ? 'true' : 'false'}
      aria-describedby=${ifDefined(problems.length > 0 ? 'scope-error' : undefined)}
      @input=${(event: Event) => page.editAt('/scope', typedIn(event))}
      @blur=${() => page.touch('/scope')}
    />
    <datalist id="scopes">
      ${(page.state.panel?.scopes ?? []).map((name) => html`<option value=${name}></option>`)}
    </datalist>
  </div>`;
}

function scopeProblems(page: RunPage): unknown {
  const problems = page.mode?.vectorBacked ? page.problemsAt('/scope', false) : [];
  if (problems.length === 0) return nothing;
  return html`<div class="error" id="scope-error">
    ${problems.map((each) => html`<div>${icon('error')} ${each.message}</div>`)}
  </div>`;
}

/** Why the model could not be loaded or reloaded; the earlier contract is still shown. */
export function contractProblem(page: RunPage): unknown {
  const { contractProblem: problem } = page.state;
  if (!problem) return nothing;
  const { nextStep } = problem;
  return html`<div class="banner warning" role="alert">
    ${icon('warning')}
    <div>
      ${problem.message}
      <div class="actions line wraps">
        ${
          nextStep && nextStep.step !== 'retry' && nextStep.step !== 'fixInput'
            ? textButton(nextStep.title, () => page.ask(page.host.call('takeStep', { step: nextStep.step })))
            : nothing
        }
        ${textButton(l10n.t('Try Again'), () => page.ask(page.host.call('reloadContract', {})))}
      </div>
    </div>
  </div>`;
}

/** Replacements of the whole request, and ways to keep it: the model's examples, an empty form, a run file. */
function headMenu(page: RunPage, scope: Field | undefined): MenuItem[] {
  const examples = (page.mode?.examples ?? []).map((example, index) => ({
    label: example.title ?? l10n.t('Example {0}', index + 1),
    icon: 'lightbulb',
    act: () => page.loadExample(index),
  }));
  return [
    ...examples,
    ...(examples.length > 0 ? (['line'] as const) : []),
    ...(scope ? varyItems(page, scope, l10n.t('Vary Scope…')) : []),
    { label: l10n.t('Reset Form'), icon: 'clear-all', act: () => page.resetForm() },
    { label: l10n.t('Save as Run File…'), icon: 'save-as', act: () => saveAs(page) },
  ];
}
