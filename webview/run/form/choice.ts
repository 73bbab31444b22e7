import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { ChoiceField, Field } from '../../../src/forms/fieldTypes';
import { markdown } from '../../shared/markdown';
import type { RunPage } from '../page';
import { fieldTemplate } from './fields';
import { defaultText, describedBy, frame } from './frame';
import { idsOf, type Placed } from './ids';

/** Titled variants: a combo box, and the form of the one that is chosen. */
export function choiceField(page: RunPage, field: ChoiceField): TemplateResult {
  const ids = idsOf(field);
  const { ids: described, invalid } = describedBy(page, field);
  const content = field.content();
  const onChange = (event: Event) => {
    const index = Number((event.target as HTMLSelectElement).value);
    const variant = field.variants[index];
    if (variant) page.form.choices.set(field.pointer, index);
    else page.form.choices.delete(field.pointer);
    page.editAt(field.pointer, variant?.initial());
  };
  return frame(
    page,
    field,
    html`<select
        id=${ids.control}
        .value=${live(field.selected < 0 ? '' : String(field.selected))}
        ?disabled=${field.readOnly}
        aria-invalid=${invalid ? 'true' : 'false'}
        aria-describedby=${ifDefined(described || undefined)}
        @change=${onChange}
        @blur=${() => page.touch(field.pointer)}
      >
        ${
          field.selected < 0 || !field.required
            ? html`<option value="" ?selected=${field.selected < 0}>
                ${defaultText(field) ?? (field.required ? l10n.t('Choose…') : l10n.t('not sent'))}
              </option>`
            : nothing
        }
        ${field.variants.map(
          (variant, index) =>
            html`<option value=${String(index)} ?selected=${index === field.selected}>${variant.label}</option>`,
        )}
      </select>
      ${markdown(field.variants[field.selected]?.description)}
      ${content ? html`<div class="nested">${fieldTemplate(page, unframed(content, field))}</div>` : nothing}`,
    { silent: content !== undefined },
  );
}

/** The chosen variant's field: named after the variant, with ids of its own, and taken out with the choice. */
function unframed(content: Field, field: ChoiceField & Placed): Field & Placed {
  const label = field.variants[field.selected]?.label ?? field.label;
  const idSuffix = `${field.idSuffix ?? ''}-variant`;
  return { ...content, label, idSuffix, required: true, nullable: false, extra: false };
}
