import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { closeProfile, launchProfile } from '../browser';
import * as parts from '../runtime/parts';
import { LONGEST_START_MS } from '../startWait';
import { type HostFolders, removeFolder } from './folders';
import { type Product, startProduct } from './product';
import { expectWebviewWorker, startWebviewWorker } from './webviewWorker';

/** The parts of a window: VS Code's server with the package installed, and a browser that may use it. */
export interface Host {
  readonly folders: HostFolders;
  readonly server: Product;
  readonly context: BrowserContext;
  /** A page of the same origin that opens the others: they share its process and its compiled code. */
  readonly keeper: Page;
  readonly webviewWorker: string;
  stop(): Promise<void>;
}

export interface HostOptions {
  readonly age?: parts.Age;
  readonly restricted?: boolean;
  readonly headless?: boolean;
}

export async function startHost(folders: HostFolders, options: HostOptions): Promise<Host> {
  const code = await parts.codeServer(options.age ?? 'newest');
  const server = await startProduct(code, folders, options);
  try {
    const context = await launchProfile(folders.profile, {
      headless: options.headless,
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await context.addCookies([server.session]);
    const keeper = context.pages()[0] ?? (await context.newPage());
    await keeper.goto(`${server.origin}/healthz`, { timeout: LONGEST_START_MS });
    return {
      folders,
      server,
      context,
      keeper,
      webviewWorker: await startWebviewWorker(keeper, server),
      stop: async () => {
        await closeProfile(context, folders.profile);
        await server.stop();
        await folders[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export async function newPage({ context, keeper }: Host): Promise<Page> {
  const opened = context.waitForEvent('page');
  await keeper.evaluate(() => void window.open('about:blank'));
  return opened;
}

/** Of this process: hosts with a closed window, and without its remains. */
const free: Host[] = [];

/** One that another window had, if there is one. */
export const freeHost = (): Host | undefined => free.pop();

/**
 * Closes the windows of a host, and keeps it for the next one: a window then takes five seconds of the processor
 * instead of eight. The remains of a window are removed: its extension host, its user data, its logs, and the
 * browser's storage for it.
 */
export async function release(host: Host): Promise<void> {
  const { context, folders, server } = host;
  for (const page of context.pages()) if (page !== host.keeper) await page.close();
  await expectWebviewWorker(host.keeper, host.webviewWorker);
  if (!(await endExtensionHosts(server.pid))) return host.stop();
  const cdp = await context.newCDPSession(host.keeper);
  await cdp.send('Storage.clearDataForOrigin', { origin: server.origin, storageTypes: STORED });
  await cdp.detach();
  await context.addCookies([server.session]);
  for (const settings of ['User', 'Machine']) await removeFolder(path.join(folders.userData, settings));
  await removeLogs(path.join(folders.userData, 'logs'));
  if (!goesWithProcess.has(host)) {
    goesWithProcess.add(host);
    process.once('exit', () => rmSync(folders.base, { recursive: true, force: true }));
  }
  free.push(host);
}

/** All but its copies of files, scripts that it compiled, and the service workers, which keep nothing themselves. */
const STORED = 'cookies,file_systems,indexeddb,local_storage,cache_storage';
const goesWithProcess = new WeakSet<Host>();

/** Those of windows are folders beside the server's own. */
async function removeLogs(logs: string): Promise<void> {
  for (const session of await readdir(logs))
    for (const entry of await readdir(path.join(logs, session), { withFileTypes: true }))
      if (entry.isDirectory()) await removeFolder(path.join(logs, session, entry.name));
}

/** The sandbox ends by itself once its extension host is gone, and writes until it does. */
const LEFT_BY_WINDOWS = /--type=(?:extensionHost|fileWatcher)|dist\/sandbox\.js/;

/**
 * Ends the extension hosts of a server and their child processes. They would wait for hours for a window that
 * returns, and write into its user data until then. False: this system cannot list processes by their group.
 */
async function endExtensionHosts(server: number): Promise<boolean> {
  if (process.platform === 'win32') return false;
  for (;;) {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,pid=,stat=,args='], {
      maxBuffer: 1e8,
    });
    const left = stdout.split('\n').flatMap((line) => {
      const [group, pid, state = ''] = line.trim().split(/\s+/, 3);
      const isOne = Number(group) === server && LEFT_BY_WINDOWS.test(line);
      return isOne && !state.startsWith('Z') ? [Number(pid)] : [];
    });
    if (left.length === 0) return true;
    for (const pid of left) killUnlessGone(pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function killUnlessGone(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
