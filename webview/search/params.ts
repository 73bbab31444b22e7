import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { assertNever } from '../../src/domain/assertNever';
import { firstInexact } from '../../src/domain/exactNumbers';
import type { Json } from '../../src/domain/json';
import { ownOf, sameJson } from '../../src/domain/value';
import { valueText } from '../../src/domain/words';
import { cannotBeExact } from '../../src/forms/issueMessage';
import type { SearchParam, SearchState } from '../../src/protocol/search';
import type { SearchPage } from './page';

/** The mode's parameters. An empty one is not sent, so the service's default applies. */
export function paramsView(
  { params, values }: SearchState,
  { host }: SearchPage,
): TemplateResult | typeof nothing {
  if (params.length === 0) return nothing;
  return html`<div class="params line wraps">
    ${params.map((param) => {
      const { name } = param;
      const set: Set = (value, invalid) =>
        host.notify('setParam', { name, value, ...(invalid && { invalid }) });
      return html`<label class="line" title=${ifDefined(param.description)}
        ><span class="quiet">${param.label}</span>${control(param, ownOf(values, name), set)}</label
      >`;
    })}
  </div>`;
}

type Set = (value: Json | undefined, invalid?: boolean) => void;

function control(param: SearchParam, value: Json | undefined, set: Set): TemplateResult {
  const fallback = param.default === undefined ? l10n.t('default') : valueText(param.default);
  switch (param.kind) {
    case 'number': {
      const changed = (event: Event) => {
        const input = event.target as HTMLInputElement;
        set(input.value === '' ? undefined : input.valueAsNumber, !input.reportValidity());
      };
      return html`<input
        type="number"
        min=${ifDefined(param.min)}
        max=${ifDefined(param.max)}
        step=${param.integer ? '1' : 'any'}
        placeholder=${fallback}
        .value=${valueText(value ?? param.default ?? '')}
        @change=${changed}
      />${value === undefined && param.default !== undefined ? html`<span class="quiet">${l10n.t('default')}</span>` : nothing}`;
    }
    case 'choice': {
      const changed = (event: Event) => {
        const { selectedIndex } = event.target as HTMLSelectElement;
        set(selectedIndex === 0 ? undefined : param.choices[selectedIndex - 1]?.value);
      };
      return html`<select @change=${changed}>
        <option ?selected=${value === undefined}>${param.default === undefined ? fallback : l10n.t('{0} (default)', fallback)}</option>
        ${param.choices.map(
          (choice) =>
            html`<option ?selected=${value !== undefined && sameJson(choice.value, value)}>${choice.label}</option>`,
        )}
      </select>`;
    }
    case 'text': {
      const changed = (event: Event) => {
        const { value: text } = event.target as HTMLInputElement;
        set(text === '' ? undefined : text);
      };
      return html`<input
        type="text"
        placeholder=${fallback}
        .value=${value === undefined ? '' : valueText(value)}
        @change=${changed}
      />`;
    }
    case 'json':
      return html`<input
        type="text"
        class="code"
        spellcheck="false"
        placeholder=${param.default === undefined ? l10n.t('JSON; not sent if empty') : JSON.stringify(param.default)}
        .value=${value === undefined ? '' : JSON.stringify(value)}
        @change=${(event: Event) => readJson(event.target as HTMLInputElement, set)}
      />`;
    default:
      return html`${assertNever(param)}`;
  }
}

function readJson(input: HTMLInputElement, set: Set): void {
  const { value: text } = input;
  const inexact = firstInexact(text);
  let problem = inexact === undefined ? '' : cannotBeExact(inexact);
  let value: Json | undefined;
  try {
    value = text.trim() === '' ? undefined : (JSON.parse(text) as Json);
  } catch {
    problem = l10n.t('This is not valid JSON.');
  }
  input.setCustomValidity(problem);
  set(problem === '' ? value : undefined, !input.reportValidity());
}

/** A string unchanged, any other value as JSON. */
