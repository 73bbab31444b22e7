// Times as text. `Date.parse` reads a time without a zone in the zone of this machine, and finds a year in almost any
// text ("60 seconds" is 1960); here a time without a zone is UTC, on every machine, and other text is no time.

/** ISO 8601 and RFC 3339: 2030-06-01T12:00:00Z, 2030-06-01 12:00, 2030-06-01, 2030-06; with slashes too. */
const ISO =
  /^(\d{4})[-/](0[1-9]|1[0-2])(?:[-/](0[1-9]|[12]\d|3[01])(?:(?:T|\s+)([01]\d|2[0-3]):([0-5]\d)(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?)?$/i;
/** RFC 9110 and RFC 850: Sat, 01 Jun 2030 12:00:00 GMT, Saturday, 01-Jun-30 12:00:00 GMT. */
const HTTP = /^[a-z]{3,9}, \d{2}([ -])[a-z]{3}\1(?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/i;

/** Milliseconds since the epoch of a date or time in one of these forms, never too early; undefined of any other text. */
export function readInstant(text: string): number | undefined {
  const trimmed = text.length > 100 ? '' : text.trim();
  const [, year, month, day = '01', hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] =
    ISO.exec(trimmed) ?? [];
  if (year === undefined) return HTTP.test(trimmed) ? finite(Date.parse(trimmed)) : undefined;
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, '$1:') : 'Z';
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return finite(at + Math.ceil(Number(`0.${fraction}`) * 1000));
}

function finite(at: number): number | undefined {
  return Number.isFinite(at) ? at : undefined;
}
