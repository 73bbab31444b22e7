import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Shape } from '../../src/domain/model';
import { formOf } from '../../src/forms/buildForm';
import type { Field } from '../../src/forms/fieldTypes';
import { icon } from '../shared/icon';
import { markdown } from '../shared/markdown';
import { focusProblem } from './focusProblem';
import { members } from './form/containers';
import { fieldTemplate } from './form/fields';
import type { RunPage } from './page';

/** The Form tab: the input and the parameters as the model's schemas describe them. */
export function formTab(page: RunPage): TemplateResult {
  const { mode } = page;
  const { work } = page.state;
  if (!mode || !work) return html``;
  if (page.isBroken)
    return html`<div class="banner warning" role="note">
      ${icon('warning')}
      <div>
        ${l10n.t('The JSON tab contains invalid JSON. The form updates once the JSON is valid.')}
        <button type="button" class="link-button" @click=${() => page.editWork({ tab: 'json' })}>
          ${l10n.t('Go to the JSON tab')}
        </button>
      </div>
    </div>`;
  const input = formOf(mode.input.schema, work.draft.input, '/input', page.form);
  const params = formOf(mode.params.schema, work.draft.params, '/params', page.form);
  return html`<form class="form" novalidate @submit=${(event: Event) => event.preventDefault()}>
    ${examples(page)} ${section(page, l10n.t('Input'), input, mode.input)}
    ${isEmpty(params) ? nothing : section(page, l10n.t('Parameters'), params, mode.params)}
    ${summary(page)}
  </form>`;
}

function section(page: RunPage, title: string, field: Field, shape: Shape): TemplateResult {
  const named: Field = { ...field, label: title };
  return html`<section class="form-section" data-pointer=${field.pointer} aria-label=${title}>
    <h2>${title}</h2>
    ${origin(shape)} ${markdown(field.description)}
    ${field.kind === 'object' ? members(page, field, fieldTemplate) : fieldTemplate(page, { ...named, description: undefined })}
  </section>`;
}

/** Whether there is nothing to show under the heading. */
function isEmpty(field: Field): boolean {
  if (field.kind === 'object') return field.children().length === 0 && field.newEntry === undefined;
  return field.kind === 'map' && field.entries().length === 0 && field.description === undefined;
}

/** What the form is based on, if the model publishes no schema. */
function origin({ origin }: Shape): unknown {
  switch (origin) {
    case 'declared':
    case 'fields':
      return nothing;
    case 'example':
      return html`<p class="quiet">
        ${l10n.t('This model publishes no input schema. The form follows an example, so other fields may exist.')}
      </p>`;
    case 'documented':
      return html`<p class="quiet">
        ${l10n.t('This model publishes no input schema for this mode. The form follows the service documentation.')}
      </p>`;
    case 'unknown':
      return html`<p class="quiet">
        ${l10n.t('This model publishes no input schema. Enter JSON; it is sent unchanged.')}
      </p>`;
  }
}

function examples(page: RunPage): unknown {
  const list = page.mode?.examples ?? [];
  if (list.length === 0) return nothing;
  const load = (event: Event) => {
    const select = event.target as HTMLSelectElement;
    if (select.value !== '') page.loadExample(Number(select.value));
    select.value = '';
  };
  return html`<div class="examples">
    <label for="examples">${l10n.t('Examples')}</label>
    <select id="examples" @change=${load}>
      <option value="">${l10n.t('Load an example…')}</option>
      ${list.map(
        (example, index) =>
          html`<option value=${String(index)}>${example.title ?? l10n.t('Example {0}', index + 1)}</option>`,
      )}
    </select>
  </div>`;
}

/** The problems with a link to each field: shown after Run was pressed with problems. */
export function summary(page: RunPage): unknown {
  if (!page.state.showAll || page.state.problems.length === 0) return nothing;
  const shown = page.state.problems.slice(0, 50);
  return html`<div class="banner error-summary" role="group" aria-label=${l10n.t('Problems')}>
    ${icon('error')}
    <div>
      <strong
        >${page.state.problems.length === 1 ? l10n.t('Fix 1 problem before running:') : l10n.t('Fix {0} problems before running:', page.state.problems.length)}</strong
      >
      <ul>
        ${shown.map(
          (problem) => html`<li>
            <button type="button" class="link-button" @click=${() => focusProblem(page, problem.pointer)}>
              ${placeName(problem.pointer)}</button
            >: ${problem.message}
          </li>`,
        )}
      </ul>
      ${
        page.isBroken
          ? nothing
          : html`<button type="button" class="link-button" @click=${() => page.startRun(true)}>
              ${l10n.t('Run without validation')}
            </button>`
      }
    </div>
  </div>`;
}

/** A pointer for people: "images › 1 › media_ref". */
function placeName(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  const names = parts[0] === 'input' || parts[0] === 'params' ? parts.slice(1) : parts;
  if (names.length === 0) return parts[0] === 'params' ? l10n.t('Parameters') : l10n.t('Input');
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name))
    .join(' › ');
}
