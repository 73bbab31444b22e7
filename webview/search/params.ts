import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { ParamValue, SearchParam, SearchState } from '../../src/protocol/search';
import type { SearchPage } from './page';

/** The mode's parameters. An empty one is not sent, so the service's default applies. */
export function paramsView(
  { params, values }: SearchState,
  { host }: SearchPage,
): TemplateResult | typeof nothing {
  if (params.length === 0) return nothing;
  return html`<div class="params">
    ${params.map((param) => {
      const set = (value: ParamValue | undefined) =>
        host.notify('setParam', { name: param.name, ...(value !== undefined && { value }) });
      return html`<label title=${ifDefined(param.description)}
        ><span>${param.label}</span>${control(param, values[param.name], set)}</label
      >`;
    })}
  </div>`;
}

type Set = (value: ParamValue | undefined) => void;

function control(param: SearchParam, value: ParamValue | undefined, set: Set): TemplateResult {
  const fallback = param.default === undefined ? l10n.t('default') : String(param.default);
  if (param.kind === 'number') {
    const changed = (event: Event) => {
      const input = event.target as HTMLInputElement;
      if (!input.reportValidity()) return;
      set(input.value === '' ? undefined : input.valueAsNumber);
    };
    return html`<input
      type="number"
      min=${ifDefined(param.min)}
      max=${ifDefined(param.max)}
      step=${param.integer ? '1' : 'any'}
      placeholder=${fallback}
      .value=${value === undefined ? '' : String(value)}
      @change=${changed}
    />`;
  }
  const choices = param.kind === 'flag' ? [true, false] : (param.choices ?? []);
  const changed = (event: Event) => {
    const { selectedIndex } = event.target as HTMLSelectElement;
    set(selectedIndex === 0 ? undefined : choices[selectedIndex - 1]);
  };
  return html`<select @change=${changed}>
    <option ?selected=${value === undefined}>${l10n.t('{0} (default)', fallback)}</option>
    ${choices.map((choice) => html`<option ?selected=${choice === value}>${String(choice)}</option>`)}
  </select>`;
}
