import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Shape } from '../../src/domain/model';
import { MANAGED_FIELDS } from '../../src/domain/run';
import { formOf } from '../../src/forms/buildForm';
import type { Field } from '../../src/forms/fieldTypes';
import { toolButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import { markdown } from '../shared/markdown';
import { otherSchema } from './about';
import { focusProblem } from './focusProblem';
import { isUnfolded, members } from './form/containers';
import { fieldTemplate } from './form/fields';
import type { RunPage } from './page';
import { placeName } from './placeName';

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
        ${toolButton('arrow-right', l10n.t('Go to the JSON tab'), () => page.editWork({ tab: 'json' }))}
      </div>
    </div>`;
  const input = formOf(mode.input.schema, work.draft.input, '/input', page.form);
  const params = formOf(mode.params.schema, work.draft.params, '/params', page.form);
  return html`<form class="form" novalidate @submit=${(event: Event) => event.preventDefault()}>
    ${guessed(page)} ${section(page, 'input', input)}
    ${isEmpty(params) ? nothing : section(page, 'params', params)}
    ${optionsSection(page)} ${uncheckedRules(page)}
    ${summary(page, [input, params])}
  </form>`;
}

/** The execution options of section 2.1, folded while there are none. Their schema is not published. */
function optionsSection(page: RunPage): TemplateResult {
  const value = page.state.work?.draft.options;
  const isOpen = value !== undefined || page.state.work?.brokenParts?.['/options'] !== undefined;
  const field: Field = {
    ...formOf(true, value, '/options'),
    label: l10n.t('Options'),
    required: false,
    description: l10n.t(
      'Execution options as a JSON object. These must not be sent: {0}.',
      MANAGED_FIELDS.join(', '),
    ),
  };
  return html`<details class="advanced" id="options" ?open=${isOpen || isUnfolded('options')} data-pointer="/options">
    <summary>${l10n.t('Execution options')}</summary>
    ${fieldTemplate(page, field)}
  </details>`;
}

/**
 * The rules of the model's schemas that are not checked here, so that a form without problems does not look like a
 * valid input.
 */
function uncheckedRules({ state: { notes } }: RunPage): unknown {
  if (notes.length === 0) return nothing;
  return html`<details class="by-hand">
    <summary class="quiet">
      ${notes.length === 1 ? l10n.t('The service checks one rule more') : l10n.t('The service checks {0} rules more', notes.length)}
    </summary>
    <ul>
      ${notes.slice(0, 50).map((note) => html`<li>${note}</li>`)}
    </ul>
  </details>`;
}

type Part = 'input' | 'params';

function section(page: RunPage, part: Part, field: Field): TemplateResult {
  const title = part === 'input' ? l10n.t('Input') : l10n.t('Parameters');
  const named: Field = { ...field, label: title };
  return html`<section class="form-section" data-pointer=${field.pointer} aria-label=${title}>
    ${markdown(field.description)}
    ${field.kind === 'object' ? members(page, field, fieldTemplate) : fieldTemplate(page, { ...named, description: undefined })}
  </section>`;
}

/** Whether there is nothing to show under the heading. */
function isEmpty(field: Field): boolean {
  if (field.kind === 'object') return field.children().length === 0 && field.newEntry === undefined;
  return field.kind === 'map' && field.entries().length === 0 && field.description === undefined;
}

/** The source of the form where the model publishes no schema: one quiet line, with the way to another. */
function guessed(page: RunPage): unknown {
  const { mode } = page;
  if (!mode) return nothing;
  const isUnknown = mode.input.origin === 'unknown' && mode.params.origin === 'unknown';
  const { contract } = page.state;
  if (contract?.notPermitted)
    return html`<p class="quiet line wraps">${l10n.t('This API key cannot read the catalog. Enter JSON; it is sent unchanged.')} ${otherSchema(page)}</p>`;
  const texts =
    isUnknown && !contract?.tooLargeToRead
      ? [l10n.t('This model publishes no schema. Enter JSON; it is sent unchanged.')]
      : [inputOrigin(page, mode.input), paramsOrigin(mode.params)].filter((text) => text !== undefined);
  if (texts.length === 0) return nothing;
  return html`<p class="quiet line wraps">${texts.join(' ')} ${otherSchema(page)}</p>`;
}

function inputOrigin({ state: { contract } }: RunPage, { origin }: Shape): string | undefined {
  switch (origin) {
    case 'declared':
    case 'fields':
      return undefined;
    case 'example':
      return l10n.t(
        'This model publishes no input schema. The form follows an example, so other fields may exist.',
      );
    case 'documented':
      return l10n.t(
        'This model publishes no input schema for this mode. The form follows the service documentation.',
      );
    case 'unknown':
      return contract?.tooLargeToRead
        ? l10n.t(
            'The service’s response about this model is too large to search for a schema. Choose its schema with “Use Another Schema…”, or enter JSON; it is sent unchanged.',
          )
        : l10n.t('This model publishes no input schema. Enter JSON; it is sent unchanged.');
  }
}

function paramsOrigin({ origin }: Shape): string | undefined {
  return origin === 'unknown'
    ? l10n.t('This model publishes no schema for parameters. Enter JSON; it is sent unchanged.')
    : undefined;
}

/** The problems with a link to each field: shown after Run was pressed with problems. */
export function summary(page: RunPage, forms: readonly Field[] = []): unknown {
  if (!page.state.showAll || page.state.problems.length === 0) return nothing;
  const shown = page.state.problems.slice(0, 50);
  const fields = forms.flatMap((form) => (form.kind === 'object' ? form.children() : []));
  const titles = new Map(fields.map(({ pointer, label }) => [pointer, label]));
  return html`<div class="banner error-summary" role="group" aria-label=${l10n.t('Problems')}>
    ${icon('error')}
    <div>
      <strong
        >${page.state.problems.length === 1 ? l10n.t('Fix 1 problem before running:') : l10n.t('Fix {0} problems before running:', page.state.problems.length)}</strong
      >
      <ul>
        ${shown.map(
          (problem) => html`<li>
            <button type="button" class="text-button" @click=${() => focusProblem(page, problem.pointer)}>
              ${titles.get(problem.pointer) ?? placeName(problem.pointer)}</button
            >: ${problem.message}
          </li>`,
        )}
      </ul>
      ${toolButton('play', l10n.t('Run without validation'), () => page.startRun(true))}
    </div>
  </div>`;
}
