import prettyBytes from 'pretty-bytes';
import { localeFor } from './displayLanguage';

/**
 * A size for people, in powers of 1000 as file managers and the field have it: "812 B", "3.4 MB".
 *
 * @param locale BCP 47, for the number; the display language when missing
 */
export function formatBytes(bytes: number, locale?: string): string {
  const used = localeFor(locale);
  return prettyBytes(bytes, { maximumFractionDigits: 1, ...(used && { locale: used }) });
}
