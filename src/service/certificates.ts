import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import { causeText } from './failures';
import type { ClientCertificate, NetworkSettings } from './network';

/** Where Linux distributions and BSDs keep the certificates that the system trusts. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

const contexts = new Map<string, Promise<tls.SecureContext | undefined>>();

/**
 * The trusted certificates of connections, made once for the process and each way to trust: parsing some hundred
 * certificates takes longer than a handshake. Undefined: Node's default does.
 */
export function trust(settings: NetworkSettings, origin = ''): Promise<tls.SecureContext | undefined> {
  const { systemCertificates, env } = settings;
  const own = settings.clientCertificates?.[origin];
  const trusted = [systemCertificates !== false, env?.NODE_EXTRA_CA_CERTS, env?.SSL_CERT_FILE];
  const key = JSON.stringify([...trusted, own && [origin, own]]);
  let context = contexts.get(key);
  if (context === undefined) {
    context = trustedCertificates(settings).then((ca) => {
      if (own) return withCertificate({ ...(ca && { ca }) }, own, settings, origin);
      return ca === undefined ? undefined : tls.createSecureContext({ ca });
    });
    contexts.set(key, context);
    // A failed attempt may succeed later.
    context.catch(() => contexts.delete(key));
  }
  return context;
}

/** A client certificate that cannot be used: its request is not sent. */
class UnusableCertificate extends Error {
  readonly code = 'CLIENT_CERTIFICATE';
}

async function withCertificate(
  trusted: tls.SecureContextOptions,
  files: ClientCertificate,
  { passphrase }: NetworkSettings,
  origin: string,
): Promise<tls.SecureContext> {
  const bytes = (file: string | undefined) => (file === undefined ? undefined : readFile(file));
  let entered: string | undefined;
  for (let wrong = 0; ; wrong++) {
    try {
      const [cert, key, pfx] = await Promise.all([bytes(files.cert), bytes(files.key), bytes(files.pfx)]);
      return tls.createSecureContext({
        ...trusted,
        ...(cert && { cert }),
        ...(key && { key }),
        ...(pfx && { pfx }),
        ...(entered !== undefined && { passphrase: entered }),
      });
    } catch (cause) {
      const isOfPassphrase = /passphrase|decrypt|mac verify|processing error|interrupted/i.test(
        causeText(cause),
      );
      entered = isOfPassphrase && wrong < 3 ? await passphrase?.(origin, wrong > 0) : undefined;
      if (entered === undefined) throw new UnusableCertificate(causeText(cause));
    }
  }
}

/**
 * Node's own certificates and those the system trusts, or undefined when there are none to add. VS Code patches
 * `tls` to the same end, but only for CommonJS extensions, and not for undici's connections.
 */
async function trustedCertificates(settings: NetworkSettings): Promise<string[] | undefined> {
  const extra = await readPem(settings.env?.NODE_EXTRA_CA_CERTS);
  const system = settings.systemCertificates === false ? [] : await systemCertificates(settings);
  if (extra.length + system.length === 0) return undefined;
  return [...new Set([...tls.rootCertificates, ...system, ...extra])];
}

async function systemCertificates(settings: NetworkSettings): Promise<string[]> {
  const named = await readPem(settings.env?.SSL_CERT_FILE);
  if (named.length > 0) return named;
  try {
    const system = tls.getCACertificates('system');
    if (system.length > 0) return system;
  } catch {
    // A store that cannot be read, or a Node before 22.15: the bundle files are tried next.
  }
  for (const file of BUNDLES) {
    const certificates = await readPem(file);
    if (certificates.length > 0) return certificates;
  }
  return [];
}

async function readPem(file: string | undefined): Promise<string[]> {
  if (file === undefined || file === '') return [];
  try {
    const text = await readFile(file, 'utf8');
    return text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  } catch {
    // A file that is not there, or may not be read, is no reason to fail: another source may do.
    return [];
  }
}
