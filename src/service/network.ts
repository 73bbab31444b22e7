import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { percentDecoded } from '../domain/percentDecoded';

/**
 * How this computer reaches the network, as plain data: VS Code's proxy settings and the process's environment.
 * `platform/network.ts` makes it inside VS Code.
 */
export interface NetworkSettings {
  /** `http.proxy`: wins over the variables. */
  readonly proxy?: string;
  /** `http.proxySupport`; with `off` no proxy is used at all. */
  readonly proxySupport?: 'off' | 'on' | 'fallback' | 'override';
  /** `http.proxyAuthorization`: the value of the Proxy-Authorization header. */
  readonly proxyAuthorization?: string;
  /** `http.proxyStrictSSL`; false: certificates are not verified. */
  readonly strictSsl?: boolean;
  /** `http.noProxy`; counts together with `NO_PROXY`. */
  readonly noProxy?: readonly string[];
  /** `http.systemCertificates`; false: only the certificates that Node brings. */
  readonly systemCertificates?: boolean;
  /** The process's environment: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A proxy to use for an address. */
export interface ProxyRoute {
  readonly url: string;
  /** The Proxy-Authorization header, when there is one. */
  readonly authorization?: string;
}

/**
 * The proxy for an address, or undefined for a direct connection: `http.proxy`, else the variables, lower case
 * before upper case as curl has it. The key goes through a proxy only inside a TLS tunnel, for http is loopback
 * only; and loopback never goes through a proxy.
 */
export function proxyFor(url: URL, settings: NetworkSettings): ProxyRoute | undefined {
  if (settings.proxySupport === 'off') return undefined;
  const env = (name: string) => {
    const value = settings.env?.[name.toLowerCase()] ?? settings.env?.[name];
    return value === undefined || value.trim() === '' ? undefined : value.trim();
  };
  const configured = settings.proxy?.trim() || undefined;
  const proxy =
    configured ?? (url.protocol === 'https:' ? env('HTTPS_PROXY') : env('HTTP_PROXY')) ?? env('ALL_PROXY');
  if (
    proxy === undefined ||
    isBypassed(url, [...(settings.noProxy ?? []), ...(env('NO_PROXY') ?? '').split(/[\s,]+/)])
  )
    return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  if (!URL.canParse(address)) return undefined;
  const { username, password } = new URL(address);
  // undici takes credentials from the URL only when both parts are there.
  const own =
    username === '' || password !== ''
      ? undefined
      : `Basic ${Buffer.from(`${percentDecoded(username)}:`).toString('base64')}`;
  return { url: address, authorization: settings.proxyAuthorization?.trim() || own };
}

/**
 * Whether a `noProxy` list names the address: `*`, a host with all its subdomains (with or without a leading
 * dot or `*.`), a host with a port, an IPv4 network as `10.0.0.0/8`.
 */
function isBypassed(url: URL, entries: readonly string[]): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.[\d.]+$/.test(host))
    return true;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return entries.some((raw) => {
    const entry = raw.trim().toLowerCase();
    if (entry === '') return false;
    if (entry === '*') return true;
    const network = /^(\d+\.\d+\.\d+\.\d+)\/(\d{1,2})$/.exec(entry);
    if (network !== null) return isInNetwork(host, network[1] as string, Number(network[2]));
    const { name, port: only } = hostAndPort(entry);
    if (only !== undefined && only !== port) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

/** What an entry names: an address of IPv6 has colons of its own, and brackets where a port stands behind it. */
function hostAndPort(entry: string): { readonly name: string; readonly port?: string } {
  const address = isIPv6(entry) ? [entry, entry] : /^\[(.+)\](?::(\d+))?$/.exec(entry);
  if (address) {
    const url = `http://[${address[1]}]`;
    // As URLs have it: the same address can be written in several ways.
    return { name: URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : entry, port: address[2] };
  }
  const [, name = entry, port] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name, port };
}

function isInNetwork(host: string, network: string, bits: number): boolean {
  if (!isIPv4(host) || !isIPv4(network) || bits > 32) return false;
  const block = new BlockList();
  block.addSubnet(network, bits);
  return block.check(host);
}
