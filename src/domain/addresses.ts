/** An address without its fragment, split as RFC 3986, appendix B. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?/;

/** The base of a document without an address of its own. */
export const NOWHERE = 'https://schema.invalid/';

/** A reference split at its "#"; the fragment is "" without one. */
export function splitReference(reference: string): { readonly address: string; readonly fragment: string } {
  const hash = reference.indexOf('#');
  if (hash < 0) return { address: reference, fragment: '' };
  return { address: reference.slice(0, hash), fragment: reference.slice(hash + 1) };
}

/** The absolute address of a reference made at `base` (RFC 3986, section 5.2), without a fragment. */
export function absoluteAddress(address: string, base: string): string {
  const [, scheme, authority, path = '', query = ''] = PARTS.exec(address) ?? [];
  if (scheme !== undefined) return addressOf(scheme, authority, withoutDots(path), query);
  const [, baseScheme, baseAuthority, basePath = '', baseQuery = ''] = PARTS.exec(base) ?? [];
  if (authority !== undefined) return addressOf(baseScheme, authority, withoutDots(path), query);
  if (path === '') return addressOf(baseScheme, baseAuthority, basePath, query || baseQuery);
  const folder = basePath.slice(0, basePath.lastIndexOf('/') + 1) || (baseAuthority === undefined ? '' : '/');
  const merged = path.startsWith('/') ? path : `${folder}${path}`;
  return addressOf(baseScheme, baseAuthority, withoutDots(merged), query);
}

function addressOf(
  scheme: string | undefined,
  authority: string | undefined,
  path: string,
  query: string,
): string {
  const before = scheme === undefined ? '' : `${scheme.toLowerCase()}:`;
  return `${before}${authority === undefined ? '' : `//${authority.toLowerCase()}`}${path}${query}`;
}

function withoutDots(path: string): string {
  if (!/(^|\/)\.\.?(\/|$)/.test(path)) return path;
  const kept: string[] = [];
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..' && kept.length > 1) kept.pop();
    else if (segment !== '.' && segment !== '..') kept.push(segment);
    if (isLast && (segment === '.' || segment === '..')) kept.push('');
  }
  return kept.join('/');
}
