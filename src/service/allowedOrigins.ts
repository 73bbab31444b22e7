import { parseBaseUrl } from './baseUrl';

/** An origin, or every host below one: `https://models.example.com`, `https://*.example.com`. */
export interface OriginPattern {
  readonly protocol: string;
  /** As `URL` writes it: lower case, Punycode. With `below`, it begins with a dot. */
  readonly hostname: string;
  /** Empty: the protocol's own. */
  readonly port: string;
  /** Hosts that end in `hostname`, not a host of that name itself. */
  readonly below: boolean;
}

const ANY_BELOW = '*.';

/**
 * Reads an origin as people write it, also with `/api` behind it; undefined: it is not an origin. A path is not understood, since
 * services decode paths in ways of their own.
 */
export function readOriginPattern(text: string): OriginPattern | undefined {
  const read = parseBaseUrl(text);
  if ('problem' in read || read.baseUrl !== read.origin) return undefined;
  const { protocol, hostname, port } = new URL(read.origin);
  const below = hostname.startsWith(ANY_BELOW);
  const name = below ? hostname.slice(1) : hostname;
  return name.includes('*') || name === '.' ? undefined : { protocol, hostname: name, port, below };
}

/**
 * Whether a base URL is of one of these origins. Both are compared as `URL` parses them, like the addresses of
 * requests.
 */
export function isOfOrigins(baseUrl: string, origins: readonly OriginPattern[]): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const url = new URL(baseUrl);
  return origins.some(
    ({ protocol, hostname, port, below }) =>
      url.protocol === protocol &&
      url.port === port &&
      (below ? url.hostname.endsWith(hostname) : url.hostname === hostname),
  );
}
