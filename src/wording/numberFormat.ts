import { localeFor } from './displayLanguage';

/** A table shows thousands of numbers in a few formats, and making a format takes as long as using it a hundred times. */
const formats = new Map<string, Intl.NumberFormat>();
/** Currencies come from services: any three letters are one. */
const MOST_FORMATS = 200;

/** @param locale BCP 47; the display language when missing, the machine's own when it is not one */
export function numberFormat(
  locale: string | undefined,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  const used = localeFor(locale);
  const key = JSON.stringify([used, options]);
  const known = formats.get(key);
  if (known) return known;
  if (formats.size >= MOST_FORMATS) formats.clear();
  const format = new Intl.NumberFormat(used, options);
  formats.set(key, format);
  return format;
}
