import * as l10n from '@vscode/l10n';
import type { Json } from '../domain/json';
import { type SchemaNode, strings } from './schema/node';

/**
 * A finding of the validator in words for the user, without the words of JSON Schema.
 *
 * @param rule what the schema says under the keyword
 * @param value what stands there
 */
export function wordingOf(
  keyword: string,
  rule: unknown,
  value: Json | undefined,
  schema?: SchemaNode,
): string {
  const limit = typeof rule === 'number' ? rule : 0;
  switch (keyword) {
    case 'type':
      return typeWording(typeof rule === 'string' ? [rule] : strings(rule), value);
    case 'enum':
      return enumWording(Array.isArray(rule) ? (rule as Json[]) : []);
    case 'const':
      return l10n.t('This must be {0}.', shown(rule as Json));
    case 'minimum':
      return l10n.t('Enter {0} or more.', limit);
    case 'maximum':
      return l10n.t('Enter {0} or less.', limit);
    case 'exclusiveMinimum':
      return l10n.t('Enter more than {0}.', limit);
    case 'exclusiveMaximum':
      return l10n.t('Enter less than {0}.', limit);
    case 'multipleOf':
      return l10n.t('Enter a multiple of {0}.', limit);
    case 'minLength':
      if (limit <= 1 || value === '') return l10n.t('Enter a text; this must not be empty.');
      return l10n.t('Enter at least {0} characters.', limit);
    case 'maxLength':
      return l10n.t('Enter at most {0} characters; there are {1}.', limit, [...String(value ?? '')].length);
    case 'pattern':
      return l10n.t('This does not have the expected form ({0}).', String(rule));
    case 'format':
      return formatWording(String(rule));
    default:
      return groupWording(keyword, limit, value, schema);
  }
}

function groupWording(keyword: string, limit: number, value: Json | undefined, schema?: SchemaNode): string {
  switch (keyword) {
    case 'minItems':
      return limit === 1 ? l10n.t('Add at least one item.') : l10n.t('Add at least {0} items.', limit);
    case 'maxItems': {
      const count = Array.isArray(value) ? value.length : 0;
      return l10n.t('At most {0} items are allowed; there are {1}.', limit, count);
    }
    case 'uniqueItems':
      return l10n.t('Two items are the same; each may be there once.');
    case 'contains':
      return l10n.t('An item that the model needs is missing from this list.');
    case 'minContains':
    case 'maxContains':
      return l10n.t('This list does not have the number of items of the kind that the model needs.');
    case 'minProperties':
      return limit === 1 ? l10n.t('Add at least one entry.') : l10n.t('Add at least {0} entries.', limit);
    case 'maxProperties':
      return l10n.t('At most {0} entries are allowed.', limit);
    case 'propertyNames':
      return l10n.t('An entry here has a name that the model does not allow.');
    case 'false':
      return l10n.t('The model takes nothing by this name; remove it.');
    case 'oneOf':
      return schema === undefined
        ? l10n.t('This does not fit the model.')
        : l10n.t('This must fit exactly one of the variants that the model describes.');
    case 'anyOf':
      return l10n.t('This fits none of the variants that the model describes.');
    case 'not':
      return l10n.t('The model does not allow this value.');
    default:
      return l10n.t('This does not fit what the model describes ({0}).', keyword);
  }
}

function typeWording(types: readonly string[], value: Json | undefined): string {
  const wanted = types.filter((type) => type !== 'null');
  if (value === null && wanted.length === types.length) return l10n.t('This must not be null.');
  const [only] = wanted;
  if (wanted.length !== 1 || only === undefined) {
    return wanted.length === 0
      ? l10n.t('Only null is allowed here.')
      : l10n.t('Enter one of: {0}.', wanted.map(typeName).join(', '));
  }
  switch (only) {
    case 'integer':
      return l10n.t('Enter a whole number.');
    case 'number':
      return l10n.t('Enter a number.');
    case 'boolean':
      return l10n.t('Choose yes or no (true or false).');
    case 'array':
      return l10n.t('This must be a list.');
    case 'object':
      return l10n.t('This must be a group of named values (an object).');
    default:
      return l10n.t('Enter a text.');
  }
}

function typeName(type: string): string {
  switch (type) {
    case 'integer':
      return l10n.t('a whole number');
    case 'number':
      return l10n.t('a number');
    case 'boolean':
      return l10n.t('true or false');
    case 'array':
      return l10n.t('a list');
    case 'object':
      return l10n.t('an object');
    default:
      return l10n.t('a text');
  }
}

/** More options than this are not listed in a sentence. */
const LISTED = 8;

function enumWording(options: readonly Json[]): string {
  const listed = options.slice(0, LISTED).map(shown).join(', ');
  return options.length > LISTED
    ? l10n.t('Choose one of the {0} allowed values: {1}, …', options.length, listed)
    : l10n.t('Choose one of: {0}.', listed);
}

function shown(value: Json): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function formatWording(format: string): string {
  switch (format) {
    case 'email':
    case 'idn-email':
      return l10n.t('Enter an e-mail address, for example name@example.com.');
    case 'uri':
    case 'url':
    case 'iri':
      return l10n.t('Enter a full address, for example https://example.com/image.png.');
    case 'date':
      return l10n.t('Enter a date as year-month-day, for example 2024-05-31.');
    case 'time':
      return l10n.t('Enter a time with its zone, for example 14:30:00Z.');
    case 'date-time':
      return l10n.t('Enter date, time and zone, for example 2024-05-31T14:30:00Z.');
    case 'uuid':
      return l10n.t('Enter a UUID, for example 123e4567-e89b-12d3-a456-426614174000.');
    default:
      return l10n.t('This is not in the format {0}.', format);
  }
}
