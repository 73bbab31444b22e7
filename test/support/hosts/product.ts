import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../paths';
import type { CodeServer } from '../runtime/parts';
import { type HostFolders, temporaryFolder } from './folders';
import { type Running, startServer } from './server';

/** A VS Code that any account of this machine can reach, and only who has its password or its cookie can use. */
export interface Product extends Running {
  readonly password: string;
  /** The cookie of who has given the password, as a browser takes it. */
  readonly session: { readonly name: string; readonly value: string; readonly url: string };
}

/**
 * VS Code as a user has it, with the packaged extension installed from its .vsix: SecretStorage persists, and
 * webviews load, as they do not with VS Code's bare server.
 */
export async function startProduct(
  code: CodeServer,
  folders: HostFolders,
  { restricted = false }: { readonly restricted?: boolean } = {},
): Promise<Product> {
  const password = randomBytes(16).toString('hex');
  const session = createHash('sha256').update(password).digest('hex');
  const own = [
    ...['--user-data-dir', folders.userData, '--extensions-dir', folders.extensions],
    // Its configuration would otherwise be read from, and written to, the home of the current user.
    ...['--config', path.join(folders.base, 'code-server.yaml')],
  ];
  await install(code, folders, own);
  const server = await startServer({
    code,
    script: code.entry,
    args: (port) => [
      ...own,
      ...['--bind-addr', `127.0.0.1:${port}`, '--auth', 'password'],
      ...(restricted ? [] : ['--disable-workspace-trust']),
      ...['--disable-telemetry', '--disable-update-check'],
      '--disable-getting-started-override',
    ],
    ready: /HTTP server listening on/,
    logFile: serverLog(folders),
    // Not an argument: those every account of the machine can read.
    env: { HASHED_PASSWORD: session },
  });
  return {
    ...server,
    password,
    session: { name: 'code-server-session', value: session, url: server.origin },
  };
}

/** Of this process, by VS Code: a folder of extensions into which the package was installed. */
const installed = new Map<string, Promise<string>>();

/**
 * Installs the package like a user. Once in a process: windows after the first get its files, unless they have other
 * extensions.
 */
async function install(code: CodeServer, { extensions }: HostFolders, own: readonly string[]): Promise<void> {
  const args = [code.entry, ...own, '--install-extension', packageFile, '--force'];
  const installHere = () => promisify(execFile)(code.node, args, { timeout: 120_000 });
  if ((await readdir(extensions)).length > 0) return void (await installHere());
  const before = await installed.get(code.entry);
  if (before !== undefined) return cp(before, extensions, { recursive: true });
  const kept = temporaryFolder('mb-ext-');
  const installing = (async () => {
    await installHere();
    await cp(extensions, kept, { recursive: true });
    return kept;
  })();
  installed.set(code.entry, installing);
  await installing;
}

/**
 * The server's output: each window has its own, since several run side by side. It is removed with the window's
 * folders.
 */
export function serverLog(folders: HostFolders): string {
  return path.join(folders.base, 'server.txt');
}
