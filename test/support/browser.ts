import { type Browser, chromium } from 'playwright-core';
import * as parts from './runtime/parts';

/** A headless browser that talks to this machine only. */
export async function launchBrowser(headless = true): Promise<Browser> {
  const { env, ...which } = await parts.browser();
  // As root, and in containers, Chromium's own sandbox cannot start; what is shown here is our own.
  const sandbox =
    process.platform === 'linux' ? ['--no-sandbox', '--no-zygote', '--disable-setuid-sandbox'] : [];
  return chromium.launch({
    ...which,
    headless,
    env: { ...process.env, ...env } as Record<string, string>,
    args: [
      ...sandbox,
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
