import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import { guard } from 'lit/directives/guard.js';
import { assertNever } from '../../../src/domain/assertNever';
import type { ChoiceField, Field } from '../../../src/forms/fieldTypes';
import { markdown } from '../../shared/markdown';
import type { RunPage } from '../page';
import { arrayField, mapField, objectField, tupleField } from './containers';
import { frame } from './frame';
import type { Placed } from './ids';
import { jsonField } from './jsonPart';
import { mediaField, mediaListField } from './media';
import { numberField } from './number';
import type { RenderField } from './renderField';
import { booleanField, constField, enumField, textField } from './scalars';
import { selectField } from './select';
import { stringListField } from './stringList';

/** A field of any kind with its label, its control and its problems. */
export function fieldTemplate(page: RunPage, field: Field): TemplateResult | DirectiveResult {
  switch (field.kind) {
    case 'text':
      return unlessUnchanged(page, field, () => textField(page, field));
    case 'number':
      return unlessUnchanged(page, field, () => numberField(page, field));
    case 'boolean':
      return unlessUnchanged(page, field, () => booleanField(page, field));
    case 'enum':
      return unlessUnchanged(page, field, () => enumField(page, field));
    case 'const':
      return unlessUnchanged(page, field, () => constField(page, field));
    case 'media':
      return mediaField(page, field);
    case 'mediaList':
      return mediaListField(page, field);
    case 'stringList':
      // The IDs of media depend on the media beside them.
      return field.mediaPointer === undefined
        ? unlessUnchanged(page, field, () => stringListField(page, field))
        : stringListField(page, field);
    case 'array':
      return arrayField(page, field, fieldTemplate);
    case 'tuple':
      return tupleField(page, field, fieldTemplate);
    case 'object':
      return objectField(page, field, fieldTemplate);
    case 'map':
      return mapField(page, field, fieldTemplate);
    case 'choice':
      return choiceField(page, field, fieldTemplate);
    case 'json':
      return jsonField(page, field);
    default:
      return html`${assertNever(field)}`;
  }
}

/** Titled variants: a combo box, and the form of the chosen one. */
function choiceField(page: RunPage, field: ChoiceField, renderField: RenderField): TemplateResult {
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

/**
 * A field whose template follows from the field and its problems is rendered again only when one of them changed: a
 * keystroke then renders one of hundreds of fields. `formOf` returns the same field while it is unchanged.
 */
function unlessUnchanged(page: RunPage, field: Field, template: () => unknown): DirectiveResult {
  const problems = page.problemsAt(field.pointer, true).map(({ message }) => message);
  return guard([field, problems.join('\n')], template);
}
