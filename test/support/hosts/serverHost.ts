import { randomBytes } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { hostRunner } from '../../run/hostBundles';
import { launchBrowser } from '../browser';
import { outFolder, root } from '../paths';
import type { CodeServer } from '../runtime/parts';
import { Start } from '../startWait';
import { newHostFolders } from './folders';
import { startServer } from './server';
import { quietSettings, writeUserSettings } from './settings';

/** Longer than the whole suite ever takes; a hanging run is a failure, not a wait. */
const patienceMs = 40 * 60_000;

/**
 * Runs the host tests in the extension host of a VS Code server: a browser opens its workbench, which starts the
 * host, and hears from the smoke-test driver how the tests ended. Rejects when they failed.
 */
export async function runInServerHost(code: CodeServer, env: Record<string, string>): Promise<void> {
  await using folders = await newHostFolders();
  await writeUserSettings(folders.userData, quietSettings);
  const logFile = path.join(outFolder, 'logs', `server-${code.vscode}.txt`);
  const token = randomBytes(16).toString('hex');
  const tokenFile = path.join(folders.base, 'token');
  await writeFile(tokenFile, token, { mode: 0o600 });
  const server = await startServer({
    code,
    script: code.serverMain,
    args: (port) => [
      ...['--host', '127.0.0.1', '--port', String(port), '--connection-token-file', tokenFile],
      ...['--accept-server-license-terms', '--enable-smoke-test-driver', '--disable-workspace-trust'],
      ...['--disable-telemetry', '--user-data-dir', folders.userData, '--extensions-dir', folders.extensions],
    ],
    ready: /Extension host agent listening/,
    logFile,
    env,
  });
  const log = createWriteStream(logFile, { flags: 'a' });
  try {
    const exitCode = await drive(server.origin, token, folders.workspace, log);
    if (exitCode !== 0) throw new Error(`the extension host reported ${exitCode}`);
  } finally {
    await server.stop();
    log.end();
    await cp(path.join(folders.userData, 'logs'), path.join(outFolder, 'logs', `vscode-${code.vscode}`), {
      recursive: true,
    }).catch(() => undefined);
  }
}

async function drive(origin: string, token: string, workspace: string, log: WriteStream): Promise<number> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const ended = new Promise<number>((resolve, reject) => {
      const tooLong = setTimeout(() => reject(new Error('the tests did not end')), patienceMs);
      tooLong.unref();
      page.once('crash', () => reject(new Error('the browser page crashed')));
      // The names that VS Code's smoke-test driver calls.
      void page.exposeFunction('codeAutomationLog', (type: string, said: unknown[]) => {
        log.write(`${type}: ${format(...said)}\n`);
      });
      void page.exposeFunction('codeAutomationExit', resolve);
    });
    ended.catch(() => undefined);
    const remote = (file: string) => `vscode-remote://${new URL(origin).host}${pathToFileURL(file).pathname}`;
    const payload = [
      ['extensionDevelopmentPath', remote(root)],
      ['extensionTestsPath', remote(hostRunner)],
    ];
    const query = new URLSearchParams({
      tkn: token,
      folder: pathToFileURL(workspace).pathname,
      payload: JSON.stringify(payload),
    });
    await new Start().waitFor('VS Code’s page', (timeout) => page.goto(`${origin}/?${query}`, { timeout }));
    return await ended;
  } finally {
    await browser.close();
  }
}
