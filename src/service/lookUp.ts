import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

const THIS_MACHINE = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * The addresses of a host. A name below localhost is this machine (RFC 6761), even if a name server says otherwise,
 * so that the key stays here.
 */
export const lookUp: LookupFunction = (hostname, options, done) => {
  if (!/\.localhost$/i.test(hostname)) return lookup(hostname, options, done);
  if (options.all) done(null, THIS_MACHINE);
  else done(null, '127.0.0.1', 4);
};
