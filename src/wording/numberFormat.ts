/** A table shows thousands of numbers in a few formats, and making a format takes as long as using it a hundred times. */
const formats = new Map<string, Intl.NumberFormat>();
/** Currencies come from services: any three letters are one. */
const MOST_FORMATS = 200;

/** @param locale BCP 47; the machine's own when missing or not one */
export function numberFormat(
  locale: string | undefined,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  const key = JSON.stringify([locale, options]);
  const known = formats.get(key);
  if (known) return known;
  if (formats.size >= MOST_FORMATS) formats.clear();
  const format = new Intl.NumberFormat(isLocale(locale) ? locale : undefined, options);
  formats.set(key, format);
  return format;
}

function isLocale(locale: string | undefined): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length > 0;
  } catch {
    return false;
  }
}
