import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from 'playwright-core';
import { temporaryFolder } from './hosts/folders';
import * as parts from './runtime/parts';

/** A headless browser that talks to this machine only. */
export async function launchBrowser(headless = true): Promise<Browser> {
  return chromium.launch(await options(headless));
}

/** A profile's copies of loaded files and compiled scripts. */
const caches = ['Cache', 'Code Cache'].map((name) => path.join('Default', name));
let keptCaches: string | undefined;

/**
 * A browser with a fresh profile in a folder, but for the caches that the last such browser of this process had: the
 * workbench is loaded from these in a third of the processor time. Close it with `closeProfile`.
 */
export async function launchProfile(
  folder: string,
  { headless = true, ...more }: BrowserContextOptions & { readonly headless?: boolean | undefined } = {},
): Promise<BrowserContext> {
  keptCaches ??= temporaryFolder('mb-cache-');
  await moveCaches(keptCaches, folder);
  return chromium.launchPersistentContext(folder, { ...(await options(headless)), ...more });
}

/** Closes such a browser, and keeps its caches for the next one. */
export async function closeProfile(context: BrowserContext, folder: string): Promise<void> {
  await context.close();
  if (keptCaches !== undefined) await moveCaches(folder, keptCaches);
}

async function moveCaches(from: string, to: string): Promise<void> {
  for (const name of caches) {
    await mkdir(path.dirname(path.join(to, name)), { recursive: true });
    await rm(path.join(to, name), { recursive: true, force: true });
    // Missing: the first browser, or another one has them.
    await rename(path.join(from, name), path.join(to, name)).catch(() => undefined);
  }
}

async function options(headless: boolean): Promise<LaunchOptions> {
  const { env, ...which } = await parts.browser();
  // As root, and in containers, Chromium's own sandbox cannot start; the shown pages are our own.
  const sandbox = process.platform === 'linux' ? ['--no-sandbox', '--disable-setuid-sandbox'] : [];
  return {
    ...which,
    headless,
    env: { ...process.env, ...env } as Record<string, string>,
    args: [
      ...sandbox,
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${switchedOff.join(',')}`,
    ],
  };
}

/**
 * Playwright's options that are off for all tests and matter here, since the list is given as a whole, and one more.
 */
const switchedOff = [
  ...'AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades MediaRouter'.split(
    ' ',
  ),
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'OptimizationHints',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  // Parses the 19 MB of the workbench at each load, although it has been compiled before, and that is kept.
  'BackgroundResourceFetch',
];
