import * as l10n from '@vscode/l10n';
import { isExactNumber } from '../domain/exactNumbers';
import type { Json } from '../domain/json';
import { beginning, valueText } from '../domain/words';
import { strings } from './schema/node';

type Message = (rule: unknown, value: Json | undefined) => string;

/** By the JSON Schema keyword that a value does not keep: what to do about it, for the user. */
const MESSAGES: Readonly<Record<string, Message>> = {
  type: (rule, value) => typeMessage(typeof rule === 'string' ? [rule] : strings(rule), value),
  enum: (rule) => enumMessage(Array.isArray(rule) ? (rule as Json[]) : []),
  const: (rule) => l10n.t('This must be {0}.', shortened(rule as Json)),
  minimum: (rule) => l10n.t('Enter {0} or more.', Number(rule)),
  maximum: (rule) => l10n.t('Enter {0} or less.', Number(rule)),
  exclusiveMinimum: (rule) => l10n.t('Enter more than {0}.', Number(rule)),
  exclusiveMaximum: (rule) => l10n.t('Enter less than {0}.', Number(rule)),
  multipleOf: (rule) => l10n.t('Enter a multiple of {0}.', Number(rule)),
  minLength: (rule, value) =>
    Number(rule) <= 1 || value === ''
      ? l10n.t('Enter some text.')
      : l10n.t('Enter at least {0} characters.', Number(rule)),
  maxLength: (rule, value) =>
    l10n.t('Enter at most {0} characters; there are {1}.', Number(rule), [...String(value ?? '')].length),
  pattern: (rule) => l10n.t('This must match the pattern {0}.', String(rule)),
  minItems: (rule) =>
    rule === 1 ? l10n.t('Add at least one item.') : l10n.t('Add at least {0} items.', Number(rule)),
  maxItems: (rule, value) =>
    l10n.t(
      'At most {0} items are allowed; there are {1}.',
      Number(rule),
      Array.isArray(value) ? value.length : 0,
    ),
  uniqueItems: () => l10n.t('Two items are the same. Remove one of them.'),
  contains: () => l10n.t('A required item is missing from this list.'),
  minContains: () => l10n.t('This list has too few items of a required kind.'),
  maxContains: () => l10n.t('This list has too many items of one kind.'),
  minProperties: (rule) =>
    rule === 1 ? l10n.t('Add at least one entry.') : l10n.t('Add at least {0} entries.', Number(rule)),
  maxProperties: (rule) => l10n.t('At most {0} entries are allowed.', Number(rule)),
  propertyNames: () => l10n.t('The name of an entry is not allowed here.'),
  false: () => l10n.t('Remove this, or check its name and place: it is not accepted here.'),
  oneOf: () => l10n.t("This must match exactly one of the schema's variants."),
  anyOf: () => l10n.t("This matches none of the schema's variants."),
  not: () => l10n.t('This value is not allowed.'),
};

/**
 * A finding of the validator as a message for the user.
 *
 * @param rule the schema's value of the keyword
 * @param value the value at the place of the finding
 */
export function issueMessage(keyword: string, rule: unknown, value: Json | undefined): string {
  const message = Object.hasOwn(MESSAGES, keyword) ? MESSAGES[keyword] : undefined;
  return message?.(rule, value) ?? l10n.t("This does not match the model's schema ({0}).", keyword);
}

function typeMessage(types: readonly string[], value: Json | undefined): string {
  const wanted = types.filter((type) => type !== 'null');
  if (value === null && wanted.length === types.length) return l10n.t('This must not be null.');
  const inexact = wanted.some((type) => type === 'number' || type === 'integer') && inexactText(value);
  if (inexact) return inexact;
  const [only] = wanted;
  if (only === undefined) return l10n.t('Only null is allowed here.');
  if (wanted.length > 1)
    return l10n.t(
      'Enter one of: {0}.',
      wanted.map((type) => TYPE_NAMES.get(type)?.() ?? l10n.t('text')).join(', '),
    );
  return TYPE_MESSAGES.get(only)?.() ?? l10n.t('Enter text.');
}

/** A number that would be sent as another one is held as text. */
function inexactText(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value))
    return undefined;
  return isExactNumber(value.trim()) ? undefined : cannotBeExact(value.trim());
}

/**
 * Why a number is refused.
 * @param digits exactly as written
 */
export function cannotBeExact(digits: string): string {
  const sent = Number(digits);
  return Number.isFinite(sent)
    ? l10n.t('{0} cannot be sent exactly: it would become {1}. Use fewer digits.', digits, String(sent))
    : l10n.t('{0} cannot be sent: it is too large for a number.', digits);
}

/** The types other than string. */
const TYPE_MESSAGES = new Map<string, () => string>([
  ['integer', () => l10n.t('Enter a whole number.')],
  ['number', () => l10n.t('Enter a number.')],
  ['boolean', () => l10n.t('Choose true or false.')],
  ['array', () => l10n.t('This must be a list.')],
  ['object', () => l10n.t('This must be an object with named values.')],
]);
const TYPE_NAMES = new Map<string, () => string>([
  ['integer', () => l10n.t('a whole number')],
  ['number', () => l10n.t('a number')],
  ['boolean', () => l10n.t('true or false')],
  ['array', () => l10n.t('a list')],
  ['object', () => l10n.t('an object')],
]);

/** A sentence lists at most this many options. */
const MOST_LISTED = 8;

function enumMessage(options: readonly Json[]): string {
  if (options.length === 0) return l10n.t('The schema allows no value here.');
  const listed = options.slice(0, MOST_LISTED).map(shortened).join(', ');
  return options.length > MOST_LISTED
    ? l10n.t('Choose one of the {0} allowed values: {1}, …', options.length, listed)
    : l10n.t('Choose one of: {0}.', listed);
}

function shortened(value: Json): string {
  return beginning(value === '' ? '""' : valueText(value), 60);
}
