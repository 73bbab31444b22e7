import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ChoiceField, EnumField } from '../../../src/forms/fieldTypes';
import type { RunPage } from '../page';
import { control, defaultText } from './frame';

/**
 * A combo box of a field's options, with an empty one while none is chosen or if the field may be missing.
 *
 * @param emptyLabel of the empty option; if missing, the default or "Choose…"
 * @param choose called with -1 for the empty option
 */
export function selectField(
  page: RunPage,
  field: ChoiceField | EnumField,
  options: readonly { readonly label: string }[],
  emptyLabel: string | undefined,
  choose: (index: number) => void,
): TemplateResult {
  const { selected } = field;
  const onChange = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    choose(value === '' ? -1 : Number(value));
  };
  const empty = emptyLabel ?? defaultText(field) ?? (field.required ? l10n.t('Choose…') : l10n.t('not sent'));
  return html`<select
    ${control(page, field)}
    .value=${live(selected < 0 ? '' : String(selected))}
    ?disabled=${field.readOnly}
    @change=${onChange}
  >
    ${
      selected < 0 || !field.required
        ? html`<option value="" ?selected=${selected < 0}>${empty}</option>`
        : nothing
    }
    ${options.map(
      ({ label }, index) =>
        html`<option value=${String(index)} ?selected=${index === selected}>${label}</option>`,
    )}
  </select>`;
}
