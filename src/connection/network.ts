import * as vscode from 'vscode';
import type { NetworkSettings } from '../service/network';

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
