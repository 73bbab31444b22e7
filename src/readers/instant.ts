import { ownOf } from '../domain/value';
import { words } from '../domain/words';

// Times as text. `Date.parse` reads a time without a zone in the zone of this machine, and finds a year in almost any
// text ("60 seconds" is 1960); here a time without a zone is UTC, on every machine, and other text is no time.

/** Longer text is no time. */
const LONGEST = 100;
const MONTHS = words('jan feb mar apr may jun jul aug sep oct nov dec');
/** Hours from UTC of the names that RFC 2822, section 4.3, has. */
const NAMED_ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
};

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?`;
const ZONE = String.raw`(?:\s*(?<zone>[a-z]{1,3}|(?:utc|gmt)?[+-]\d{2}(?::?\d{2})?)(?:\s*(?:\([^()]*\)|\[[\w/+-]*\]))?)?`;
const WEEKDAY = String.raw`(?:[a-z]{3,9},?\s+)?`;
const FORMS: readonly RegExp[] = [
  // ISO 8601 and RFC 3339: 2030-06-01T12:00:00Z, 2030-06-01 12:00, 2030-06-01, 2030-06; Java's [Europe/Berlin]
  String.raw`(?<year>\d{4})-(?<month>\d{2})(?:-(?<day>\d{2})(?:(?:T|\s+)${TIME}${ZONE})?)?`,
  // 2030/06/01, whose order is the same in every country
  String.raw`(?<year>\d{4})/(?<month>\d{2})/(?<day>\d{2})(?:\s+${TIME}${ZONE})?`,
  // RFC 9110 and RFC 850: Sat, 01 Jun 2030 12:00:00 GMT, Saturday, 01-Jun-30 12:00:00 GMT
  String.raw`${WEEKDAY}(?<day>\d{1,2})[\s-]+(?<month>[a-z]{3,9})[\s-]+(?<year>\d{4}|\d{2}),?\s+${TIME}${ZONE}`,
  // asctime: Sat Jun  1 12:00:00 2030
  String.raw`${WEEKDAY}(?<month>[a-z]{3,9})\s+(?<day>\d{1,2})\s+${TIME}${ZONE}\s+(?<year>\d{4})`,
  // JavaScript: Sat Jun 01 2030 12:00:00 GMT+0000 (Coordinated Universal Time)
  String.raw`${WEEKDAY}(?<month>[a-z]{3,9})\s+(?<day>\d{1,2}),?\s+(?<year>\d{4}),?\s+${TIME}${ZONE}`,
].map((form) => new RegExp(`^${form}$`, 'i'));

/** Milliseconds since the epoch of a date or time in one of the usual forms; undefined of any other text. */
export function readInstant(text: string): number | undefined {
  if (text.length > LONGEST) return undefined;
  for (const form of FORMS) {
    const parts = form.exec(text.trim())?.groups;
    if (parts !== undefined) return instantOf(parts);
  }
  return undefined;
}

type Parts = Readonly<Record<string, string | undefined>>;

function instantOf({ year = '', month = '', day = '1', zone = 'z', ...time }: Parts): number | undefined {
  const monthIndex = /^\d/.test(month) ? Number(month) - 1 : MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const { hour = '0', minute = '0', second = '0', fraction = '0' } = time;
  const offset = offsetMinutes(zone);
  if (offset === undefined || monthIndex < 0 || monthIndex > 11) return undefined;
  if (Number(day) < 1 || Number(day) > 31 || Number(hour) > 24 || Number(minute) > 59) return undefined;
  const at = Date.UTC(
    fullYear(year),
    monthIndex,
    ...[Number(day), Number(hour), Number(minute) - offset, Number(second)],
    Math.ceil(Number(`0.${fraction}`) * 1000),
  );
  return Number.isNaN(at) ? undefined : at;
}

/** East of UTC; undefined of a name that is not known. */
function offsetMinutes(zone: string): number | undefined {
  const number = /([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (number === null) {
    const hours = ownOf(NAMED_ZONES, zone.toLowerCase());
    return hours === undefined ? undefined : hours * 60;
  }
  const [, sign, hours, minutes = '0'] = number;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Two digits of RFC 850 are a year of 1970 to 2069. */
function fullYear(year: string): number {
  if (year.length > 2) return Number(year);
  return Number(year) + (Number(year) < 70 ? 2000 : 1900);
}
