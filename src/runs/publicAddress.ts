import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../domain/loopback';

/** Public addresses: of IPv6 those that are given out, without those that hold an address of IPv4. */
const PRIVATE = new BlockList();
const GIVEN_OUT = new BlockList();
GIVEN_OUT.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['2001::', 32],
  ['2002::', 16],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6');

/** Whether a file may be fetched from there unasked: over https from public hosts, or from the service's own origin. */
export function mayFetch(url: URL, baseUrl: string): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === new URL(baseUrl).origin) return true;
  return url.protocol === 'https:' && !isPrivate(url.hostname);
}

/** Whether a host is this computer or, by its address or a name without a domain, one of this network. */
function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const version = isIP(host);
  if (version === 6) return PRIVATE.check(host, 'ipv6') || !GIVEN_OUT.check(host, 'ipv6');
  if (version === 4) return PRIVATE.check(host, 'ipv4');
  return isLoopback(host) || !host.includes('.') || host.endsWith('.') || INNER_NAME.test(host);
}

/** Endings that networks use for themselves. */
const INNER_NAME = /\.(?:local|localdomain|localhost|internal|intranet|private|corp|home|lan|home\.arpa)$/i;
