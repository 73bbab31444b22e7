import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';

const ADDRESS = /^[a-z][a-z\d+.-]*:\S+$/i;
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]\d\d:\d\d)$/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const urlHint = () => l10n.t('Expected: a full URL, for example https://example.com/image.png.');
const emailHint = () => l10n.t('Expected: an email address, for example name@example.com.');

/** By format: how its texts look, and an example. */
const FORMATS: Readonly<
  Record<string, readonly [looksRight: (text: string) => boolean, hint: () => string]>
> = {
  uri: [(text) => ADDRESS.test(text), urlHint],
  url: [(text) => ADDRESS.test(text), urlHint],
  email: [isEmail, emailHint],
  'idn-email': [isEmail, emailHint],
  date: [
    (text) => DATE.test(text),
    () => l10n.t('Expected: a date as year-month-day, for example 2024-05-31.'),
  ],
  time: [(text) => TIME.test(text), () => l10n.t('Expected: a time with its zone, for example 14:30:00Z.')],
  'date-time': [isDateTime, () => l10n.t('Expected: date, time and zone, for example 2024-05-31T14:30:00Z.')],
  uuid: [
    (text) => UUID.test(text),
    () => l10n.t('Expected: a UUID, for example 123e4567-e89b-12d3-a456-426614174000.'),
  ],
};

/** How a text should look that does not match its `format`. A hint: formats are annotations. */
export function formatHint(format: unknown, value: Json | undefined): string | undefined {
  if (typeof format !== 'string' || typeof value !== 'string' || value === '') return undefined;
  if (!Object.hasOwn(FORMATS, format)) return undefined;
  const [looksRight, hint] = FORMATS[format] ?? [() => true, () => ''];
  return looksRight(value) ? undefined : hint();
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && at < text.length - 1 && !/\s/.test(text);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.split(/[t ]/i);
  return DATE.test(date) && TIME.test(time);
}
