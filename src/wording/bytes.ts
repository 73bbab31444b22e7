import prettyBytes from 'pretty-bytes';

/**
 * A size for people, in powers of 1000 as file managers and the field have it: "812 B", "3.4 MB".
 *
 * @param locale BCP 47, for the number
 */
export function formatBytes(bytes: number, locale?: string): string {
  return prettyBytes(bytes, { maximumFractionDigits: 1, ...(locale && { locale }) });
}
