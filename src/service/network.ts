import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { errorCode } from '../domain/errorCode';
import type { ProxyFacts } from '../domain/failure';
import { isLoopback } from '../domain/loopback';
import { percentDecoded } from '../domain/percentDecoded';
import { beginning } from '../domain/words';

/**
 * How this computer reaches the network, as plain data: VS Code's proxy settings and the process's environment.
 * `connection/network.ts` makes it inside VS Code.
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
  /** By origin. */
  readonly clientCertificates?: Readonly<Record<string, ClientCertificate>>;
  /** The passphrase of the certificate for an origin; undefined: there is none. @param isWrong the last one was wrong */
  readonly passphrase?: (origin: string, isWrong: boolean) => Promise<string | undefined>;
  /** The process's environment: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Paths of the files of a certificate that this client shows to a server. */
export interface ClientCertificate {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly pfx?: string | undefined;
}

/** The network settings of a process without a window. */
export function processNetwork(baseUrl: string): NetworkSettings {
  const passphrase = process.env.MODEL_BENCH_CERT_PASSPHRASE;
  return {
    env: process.env,
    ...(ownCertificate && { clientCertificates: { [new URL(baseUrl).origin]: ownCertificate } }),
    passphrase: async (_, isWrong) => (isWrong ? undefined : passphrase),
  };
}

let ownCertificate: ClientCertificate | undefined;

/** Shows a certificate to the service of this process; undefined: none. */
export function useClientCertificate(certificate: ClientCertificate | undefined): void {
  ownCertificate = certificate;
}

export interface ProxyRoute {
  readonly url: string;
  /** The Proxy-Authorization header, when there is one. */
  readonly authorization?: string;
  /** To show: without a password. */
  readonly facts: ProxyFacts;
}

/** A proxy that is set and cannot be used: its requests are not sent another way. */
export class ProxySettingError extends Error {
  override readonly name = 'ProxySettingError';
  constructor(
    readonly problem: 'unreadable' | 'unsupported',
    readonly facts: ProxyFacts,
  ) {
    super(`proxy: ${problem}`);
  }
}

/** A connection that failed at a proxy, before anything reached the service. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly code: string | undefined;
  constructor(
    readonly facts: ProxyFacts,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : 'proxy', { cause });
    this.code = errorCode(cause);
  }
}

/**
 * The proxy for an address, or undefined for a direct connection: `http.proxy`, else the variables, lower case
 * before upper case as curl has it. The key goes through a proxy only inside a TLS tunnel, for http is loopback
 * only; and loopback never goes through a proxy.
 * @throws ProxySettingError
 */
export function proxyFor(url: URL, settings: NetworkSettings): ProxyRoute | undefined {
  if (settings.proxySupport === 'off') return undefined;
  const env = (name: string): Named | undefined => {
    for (const source of [name.toLowerCase(), name]) {
      const value = settings.env?.[source];
      if (value !== undefined) return value.trim() === '' ? undefined : { value: value.trim(), source };
    }
    return undefined;
  };
  const configured = settings.proxy?.trim();
  const proxy =
    (configured ? { value: configured, source: 'http.proxy' } : undefined) ??
    (url.protocol === 'https:' ? env('HTTPS_PROXY') : env('HTTP_PROXY')) ??
    env('ALL_PROXY');
  if (
    proxy === undefined ||
    isBypassed(url, [...(settings.noProxy ?? []), ...(env('NO_PROXY')?.value ?? '').split(/[\s,]+/)])
  )
    return undefined;
  const { source } = proxy;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy.value) ? proxy.value : `http://${proxy.value}`;
  const read = URL.canParse(address) ? new URL(address) : undefined;
  const isRead =
    read !== undefined && read.hostname !== '' && /^\/?$/.test(read.pathname + read.search + read.hash);
  if (!isRead)
    throw new ProxySettingError('unreadable', { source, address: withoutCredentials(proxy.value) });
  const facts = { source, address: `${read.protocol}//${read.host}` };
  if (read.protocol !== 'http:' && read.protocol !== 'https:')
    throw new ProxySettingError('unsupported', facts);
  const { username, password } = read;
  // undici takes credentials from the URL only when both parts are there.
  const own =
    username === '' || password !== ''
      ? undefined
      : `Basic ${Buffer.from(`${percentDecoded(username)}:`).toString('base64')}`;
  return { url: address, authorization: settings.proxyAuthorization?.trim() || own, facts };
}

/** A value and the setting or variable that it is from. */
interface Named {
  readonly value: string;
  readonly source: string;
}

/** An invalid proxy address, to show: parts that may be a user name and a password are left out. */
function withoutCredentials(proxy: string): string {
  const at = proxy.lastIndexOf('@');
  const scheme = /^[a-z][a-z\d+.-]*:\/*/i.exec(proxy)?.[0] ?? '';
  const shown = at < 0 ? proxy : `${scheme.length <= at ? scheme : ''}…${proxy.slice(at)}`;
  return beginning(shown, 100);
}

/**
 * Whether a `noProxy` list names the address: `*`, a host with all its subdomains (with or without a leading
 * dot or `*.`), a host with a port, an IPv4 network as `10.0.0.0/8`.
 */
function isBypassed(url: URL, entries: readonly string[]): boolean {
  if (isLoopback(url.hostname)) return true;
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
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

/** The host and port of an entry: an IPv6 address has colons of its own, and brackets before a port. */
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
