import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { formOf } from '../../src/forms/buildForm';
import type { Field } from '../../src/forms/fieldTypes';
import { formatPrice } from '../../src/wording/money';
import { icon } from '../shared/icon';
import { markdown } from '../shared/markdown';
import { takenField, varyButton } from './experiment';
import { fileLine } from './fileLine';
import { idsOf } from './form/ids';
import type { RunPage } from './page';

/** The model, its mode, and the scope when the mode is vector-backed. */
export function header(page: RunPage): TemplateResult {
  const { mode } = page;
  const { contract, work } = page.state;
  const price = formatPrice(mode?.price ?? contract?.price, document.documentElement.lang);
  return html`<header>
    ${fileLine(page)}
    <h1>${contract?.name ?? page.state.panel?.modelName ?? ''}</h1>
    ${contract && contract.slug !== contract.name ? html`<code class="slug">${contract.slug}</code>` : nothing}
    ${price ? html`<span class="badge">${price}</span>` : nothing}
    ${
      contract?.description
        ? html`<details class="about"><summary>${l10n.t('About this model')}</summary>${markdown(contract.description)}</details>`
        : nothing
    }
    ${
      contract && work
        ? html`<div class="request-line">
            <div class="head-field">
              <label for="mode">${l10n.t('Mode')}</label>
              <select
                id="mode"
                .value=${live(work.draft.mode)}
                ?disabled=${page.isBroken}
                @change=${(event: Event) => page.chooseMode((event.target as HTMLSelectElement).value)}
              >
                ${contract.modes.map(
                  ({ name, title }) =>
                    html`<option value=${name} ?selected=${name === work.draft.mode}>${title ?? name}</option>`,
                )}
              </select>
            </div>
            ${mode?.vectorBacked ? scope(page) : nothing}
          </div>
          ${mode?.description ? html`<div class="quiet">${markdown(mode.description)}</div>` : nothing}`
        : nothing
    }
    ${problem(page)}
  </header>`;
}

function scope(page: RunPage): unknown {
  const problems = page.problemsAt('/scope', false);
  const field: Field = {
    ...formOf({ type: 'string' }, page.state.work?.draft.scope, '/scope'),
    ...{ key: 'scope', label: l10n.t('Scope'), required: true },
  };
  const taken = takenField(page, field);
  if (taken !== undefined) return taken;
  return html`<div class="head-field">
    <div class="field-head">
      <label for="scope" id=${idsOf(field).label}>${field.label}</label> ${varyButton(page, field)}
    </div>
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
      @input=${(event: Event) => page.editAt('/scope', (event.target as HTMLInputElement).value)}
      @blur=${() => page.touch('/scope')}
    />
    <datalist id="scopes">
      ${(page.state.panel?.scopes ?? []).map((name) => html`<option value=${name}></option>`)}
    </datalist>
    ${
      problems.length > 0
        ? html`<div class="error" id="scope-error">${problems.map((each) => html`<div>${icon('error')} ${each.message}</div>`)}</div>`
        : nothing
    }
  </div>`;
}

/** Why the model could not be loaded or reloaded; the earlier contract is still shown. */
function problem(page: RunPage): unknown {
  const { contractProblem: found } = page.state;
  if (!found) return nothing;
  const { nextStep } = found;
  return html`<div class="banner warning" role="alert">
    ${icon('warning')}
    <div>
      ${found.message}
      <div class="actions">
        ${
          nextStep && nextStep.step !== 'retry' && nextStep.step !== 'fixInput'
            ? html`<vscode-button appearance="secondary" @click=${() => page.ask(page.host.call('takeStep', { step: nextStep.step }))}
                >${nextStep.title}</vscode-button
              >`
            : nothing
        }
        <vscode-button appearance="secondary" @click=${() => page.ask(page.host.call('reloadContract', {}))}
          >${l10n.t('Try Again')}</vscode-button
        >
      </div>
    </div>
  </div>`;
}
