/** Why a text is no API key: it is not sent. */
export type KeyFault = 'quotes' | 'scheme' | 'characters';

/** The fault of a key; undefined: it can be sent. */
export function keyFault(key: string): KeyFault | undefined {
  if (/^(["'`]).*\1$/.test(key)) return 'quotes';
  if (/^(?:authorization:\s*)?(?:bearer|basic|token)\s/i.test(key)) return 'scheme';
  // A header value cannot carry anything else (RFC 9110, section 5.5).
  return /^[\x21-\x7e]+$/.test(key) ? undefined : 'characters';
}
