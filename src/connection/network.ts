import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ClientCertificate, NetworkSettings } from '../service/network';
import { showInputBox } from '../vscode/messages/inputs';

/**
 * VS Code's network settings as the plain object that the transport takes. Made for each request, so that a change
 * counts at once. A workspace cannot set the `http.*` settings read here: they have application or machine scope, and
 * only `inspect` values outside the workspace are taken even so, for a proxy sees our connections and
 * `proxyStrictSSL` decides whether to trust a server.
 */
export function networkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  return {
    proxy: text(ofUser(http, 'proxy')),
    proxySupport: proxySupport(ofUser(http, 'proxySupport')),
    proxyAuthorization: text(ofUser(http, 'proxyAuthorization')),
    strictSsl: ofUser(http, 'proxyStrictSSL') !== false,
    noProxy: texts(ofUser(http, 'noProxy')),
    systemCertificates: ofUser(http, 'systemCertificates') !== false,
    clientCertificates: clientCertificates(),
    passphrase,
    env: proxyVariables(),
  };
}

/**
 * The value without the workspace's settings. In a remote window the user value contains the machine's own settings.
 */
function ofUser(http: vscode.WorkspaceConfiguration, name: string): unknown {
  const setting = http.inspect(name);
  return setting?.globalValue ?? setting?.defaultValue;
}

const VARIABLES = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** The files by origin, as the user names them; those of a workspace do not count. */
function clientCertificates(): Record<string, ClientCertificate> {
  const setting = vscode.workspace.getConfiguration('modelBench').inspect('clientCertificates')?.globalValue;
  if (typeof setting !== 'object' || setting === null) return {};
  return Object.fromEntries(
    Object.entries(setting).flatMap(([url, files]: [string, unknown]) => {
      if (!URL.canParse(url) || typeof files !== 'object' || files === null) return [];
      const { cert, key, pfx } = files as Record<string, unknown>;
      const certificate = { cert: text(cert), key: text(key) ?? text(cert), pfx: text(pfx) };
      return [[new URL(url).origin, certificate]];
    }),
  );
}

let secrets: vscode.SecretStorage | undefined;

/** Keeps passphrases of client certificates there. */
export function keepPassphrasesIn(storage: vscode.SecretStorage): void {
  secrets = storage;
}

async function passphrase(origin: string, isWrong: boolean): Promise<string | undefined> {
  const name = `modelBench.certificate/${origin}`;
  const stored = isWrong ? undefined : await secrets?.get(name);
  if (stored !== undefined) return stored;
  const prompt = l10n.t('For {0}. It is kept in VS Code’s secret storage.', origin);
  const entered = await showInputBox({
    title: l10n.t('Passphrase of the Client Certificate'),
    prompt: isWrong ? `${l10n.t('The last one was wrong.')} ${prompt}` : prompt,
    password: true,
    ignoreFocusOut: true,
  });
  if (entered !== undefined) await secrets?.store(name, entered);
  return entered;
}

/**
 * Only the variables that count: the settings are compared on every request, and the rest of the environment is
 * private.
 */
function proxyVariables(): Record<string, string | undefined> {
  const names = VARIABLES.flatMap((name) => [name, name.toLowerCase()]);
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

function proxySupport(value: unknown): NetworkSettings['proxySupport'] {
  return value === 'off' || value === 'on' || value === 'fallback' || value === 'override'
    ? value
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
