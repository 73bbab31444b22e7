import { html, nothing, type TemplateResult } from 'lit';
import type { ChoiceField, Field } from '../../../src/forms/fieldTypes';
import { markdown } from '../../shared/markdown';
import type { RunPage } from '../page';
import { frame } from './frame';
import type { Placed } from './ids';
import type { RenderField } from './renderField';
import { selectField } from './select';

/** Titled variants: a combo box, and the form of the chosen one. */
export function choiceField(page: RunPage, field: ChoiceField, renderField: RenderField): TemplateResult {
  const content = field.content();
  const choose = (index: number) => {
    const variant = field.variants[index];
    page.chooseVariant(field.pointer, variant && index, variant?.initial(page.valueAt(field.pointer)));
  };
  return frame(
    page,
    field,
    html`${selectField(page, field, field.variants, undefined, choose)}
      ${markdown(field.variants[field.selected]?.description)}
      ${content ? html`<div class="nested">${renderField(page, unframed(content, field))}</div>` : nothing}`,
    { silent: content !== undefined },
  );
}

/** The chosen variant's field: named after the variant, with its own ids, and removed with the choice. */
function unframed(content: Field, field: ChoiceField & Placed): Field & Placed {
  const label = field.variants[field.selected]?.label ?? field.label;
  const idSuffix = `${field.idSuffix ?? ''}-variant`;
  return { ...content, label, idSuffix, required: true, nullable: false, extra: false };
}
