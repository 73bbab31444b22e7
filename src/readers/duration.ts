// Durations as text: "20ms", "6m0s", "1h30m", "60 seconds", "1 minute 30 s", and ISO 8601 ("PT60S", "P1DT12H").

const UNITS: readonly (readonly [names: RegExp, ms: number])[] = [
  [/^(?:ns|nanos?|nanoseconds?)$/, 1e-6],
  [/^(?:us|µs|μs|micros?|microseconds?)$/, 1e-3],
  [/^(?:ms|msecs?|millis?|milliseconds?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:w|wks?|weeks?)$/, 7 * 86_400_000],
];
/** Longer text is no duration. */
const LONGEST = 100;
/** One after another: a text of many parts is read in one pass. */
const PART = /\s*(?:,\s*)?(?:and\s+)?(\d{1,15}(?:[.,]\d{1,9})?)\s*([a-zµμ]+)/iuy;
const ISO =
  /^P(?!$)(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?=\d)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i;
const ISO_UNITS_MS = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1000];

/** Milliseconds; undefined of any other text. */
export function readDurationMs(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return undefined;
  const iso = ISO.exec(trimmed);
  if (iso !== null) return sum(ISO_UNITS_MS.map((ms, i) => amount(iso[i + 1] ?? '0') * ms));
  if (!/^\d/.test(trimmed)) return undefined;
  let total = 0;
  for (let at = 0; at < trimmed.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [, number, unit = ''] = PART.exec(trimmed) ?? [];
    const ms = UNITS.find(([names]) => names.test(unit.toLowerCase()))?.[1];
    if (number === undefined || ms === undefined) return undefined;
    total += amount(number) * ms;
  }
  return total;
}

const amount = (digits: string) => Number(digits.replace(',', '.'));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
