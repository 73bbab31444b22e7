import { isIPv4, isIPv6 } from 'node:net';
import type { RefusedAddress } from '../domain/failure';
import { isLoopback } from '../domain/loopback';

/** An address that a response names: where to ask, or why not. Exactly one of the two is there. */
export type NamedAddress =
  | { readonly url: URL; readonly refused?: undefined }
  | { readonly url?: undefined; readonly refused: RefusedAddress };

export interface AddressContext {
  /** The address that gave the response: relative addresses belong to it. */
  readonly asked: URL;
  /** The environment's base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether another server may be asked, without the key: uploads are sent to stores. */
  readonly elsewhere?: boolean;
}

/** Longest part of an address that is shown. */
const LONGEST_SHOWN = 200;

/**
 * Resolves an address that a response names: the next page of a list, where to poll, where to upload, a redirect.
 *
 * The service knows itself by other names than its users do (section 4: it is reached through a gateway), so that
 * - a path that begins with /api is below the base URL, even if the base URL has a path;
 * - http: of the base's host is asked by https: where the base is;
 * - an inner host whose path is of the same resource as the request is asked at the base. Any other address on
 *   another origin is refused: a request carries the key.
 */
export function namedAddress(text: string, { asked, baseUrl, elsewhere }: AddressContext): NamedAddress {
  const base = new URL(baseUrl);
  if (!URL.canParse(text, asked.href)) return refused(text, 'notAnAddress');
  const url = new URL(text, asked);
  url.hash = '';
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb) return refused(text.split('?', 1)[0] as string, elsewhere ? 'insecure' : 'otherOrigin');
  if (isAtBase(url, base)) return { url: atBase(url, base) };
  if (elsewhere && isSafeElsewhere(url, base)) return { url };
  if (isInner(url, base) && isOfSameResource(url, asked, base)) return { url: atBase(url, base) };
  return refused(shown(url), url.protocol === 'http:' && elsewhere ? 'insecure' : 'otherOrigin');
}

function refused(address: string, why: RefusedAddress['why']): NamedAddress {
  return {
    refused: {
      address: address.length > LONGEST_SHOWN ? `${address.slice(0, LONGEST_SHOWN - 1)}…` : address,
      why,
    },
  };
}

/** Without its query, which may hold a signature. */
function shown({ origin, pathname }: URL): string {
  return origin + pathname;
}

function isAtBase(url: URL, base: URL): boolean {
  if (url.origin === base.origin) return true;
  const isSameHost = url.hostname === base.hostname && url.protocol === 'http:' && base.protocol === 'https:';
  return isSameHost && (url.port === '' || url.port === base.port);
}

/** The same path and query at the base URL. */
function atBase(url: URL, base: URL): URL {
  return new URL(base.origin + pathAtBase(url.pathname, base) + url.search);
}

function pathAtBase(path: string, base: URL): string {
  const prefix = prefixOf(base);
  const isBelow = path === prefix || path.startsWith(`${prefix}/`);
  return !isBelow && /^\/api(?:\/|$)/.test(path) ? prefix + path : path;
}

/** The base's own path; empty where it has none. */
function prefixOf(base: URL): string {
  return base.pathname.replace(/\/$/, '');
}

/** `https:`, or `http:` where this computer is both. */
function isSafeElsewhere(url: URL, base: URL): boolean {
  return url.protocol === 'https:' || (isLoopback(url.hostname) && isLoopback(base.hostname));
}

/** Names that only a private network resolves (RFC 6762, RFC 8375, and those that containers and companies use). */
const PRIVATE_NAME =
  /^[^.]+$|\.(?:internal|local|localhost|localdomain|lan|intranet|corp|private|home|svc|home\.arpa)$/;

/** A host behind the gateway. Where the base is https:, http: is one, for it is never asked itself. */
function isInner({ protocol, hostname }: URL, base: URL): boolean {
  if (protocol === 'http:' && base.protocol === 'https:') return true;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(host)) return /^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(host);
  if (isIPv6(host)) return host === '::1' || /^f[cde]/.test(host);
  return PRIVATE_NAME.test(host);
}

/** Whether an address is of the resource that was asked: /api/runs, /api/media, /api/marketplace, /api/billing. */
function isOfSameResource(url: URL, asked: URL, base: URL): boolean {
  const resource = (path: string) => {
    const atBase = pathAtBase(path, base);
    const prefix = prefixOf(base);
    if (prefix !== '' && !atBase.startsWith(`${prefix}/`)) return undefined;
    return /^\/api\/([^/]+)/.exec(atBase.slice(prefix.length))?.[1];
  };
  const wanted = resource(url.pathname);
  return wanted !== undefined && wanted === resource(asked.pathname);
}
