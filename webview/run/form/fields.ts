import { html, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import { assertNever } from '../../../src/domain/assertNever';
import type { Field } from '../../../src/forms/fieldTypes';
import { takenField } from '../experiment';
import type { RunPage } from '../page';
import { choiceField } from './choice';
import { arrayField, mapField, objectField, tupleField } from './containers';
import { jsonField } from './jsonPart';
import { mediaField, mediaListField } from './media';
import { numberField } from './number';
import { booleanField, constField, enumField, textField } from './scalars';
import { stringListField } from './stringList';
import { unlessUnchanged } from './unchanged';

/** A field of any kind with its label, its control and its problems. */
export function fieldTemplate(page: RunPage, field: Field): TemplateResult | DirectiveResult {
  const taken = takenField(page, field);
  if (taken !== undefined) return html`${taken}`;
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
