import * as vscode from 'vscode';
import type { NetworkSettings } from '../service/network';

/** VS Code's proxy and certificate settings and the process's environment, as the service's transport takes them. */
export function networkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  return {
    proxy: http.get<string>('proxy') || undefined,
    proxySupport: http.get<NetworkSettings['proxySupport']>('proxySupport'),
    proxyAuthorization: http.get<string | null>('proxyAuthorization') ?? undefined,
    strictSsl: http.get<boolean>('proxyStrictSSL'),
    noProxy: http.get<string[]>('noProxy'),
    systemCertificates: http.get<boolean>('systemCertificates'),
    env: process.env,
  };
}
