import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { outFolder, packageFile } from '../paths';
import type { CodeServer } from '../runtime/parts';
import type { HostFolders } from './folders';
import { type Running, startServer } from './server';

/**
 * VS Code as a user has it, with the packaged extension installed from its .vsix: SecretStorage persists, and
 * webviews load, as they do not with VS Code's bare server.
 */
export async function startProduct(
  code: CodeServer,
  folders: HostFolders,
  { restricted = false }: { readonly restricted?: boolean } = {},
): Promise<Running> {
  const own = [
    ...['--user-data-dir', folders.userData, '--extensions-dir', folders.extensions],
    // Its configuration would otherwise be read from, and written to, the home of whoever runs this.
    ...['--config', path.join(folders.base, 'code-server.yaml')],
  ];
  const install = ['--install-extension', packageFile, '--force'];
  await promisify(execFile)(code.node, [code.entry, ...own, ...install], { timeout: 120_000 });
  return startServer({
    code,
    script: code.entry,
    args: (port) => [
      ...own,
      ...['--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
      ...(restricted ? [] : ['--disable-workspace-trust']),
      ...['--disable-telemetry', '--disable-update-check'],
      '--disable-getting-started-override',
    ],
    ready: /HTTP server listening on/,
    logFile: path.join(outFolder, 'logs', 'product.txt'),
  });
}
