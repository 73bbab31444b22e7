import type { Page } from 'playwright-core';
import type { Product } from './product';

/**
 * Starts the service worker that VS Code loads its webviews through, before there is a window. A webview that loads
 * while that worker starts for the first time is never under its control, and VS Code waits for that for ever.
 * @param keeper a page of the same origin
 * @returns the script's address
 */
export async function startWebviewWorker(keeper: Page, { origin }: Product): Promise<string> {
  const { request } = keeper.context();
  const workbench = await (await request.get(origin)).text();
  const folder = `${origin}/${found(/webviewEndpoint&quot;:&quot;([^&]+)&quot;/, workbench)}`;
  const script = await (await request.get(`${folder}/service-worker.js`)).text();
  // As VS Code's own webview/browser/pre/index.html puts it together.
  const address = `${folder}/service-worker.js?${[
    `v=${found(/\bVERSION\s*=\s*(\d+)/, script)}`,
    'vscode-resource-base-authority=vscode-resource.vscode-cdn.net',
    `remoteAuthority=${new URL(origin).host}`,
    'platform=browser',
  ].join('&')}`;
  await keeper.evaluate(async (url) => {
    const { installing, waiting, active } = await navigator.serviceWorker.register(url);
    const worker = installing ?? waiting ?? active;
    while (worker && worker.state !== 'activated')
      await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
  }, address);
  return address;
}

/** Rejects when windows have put another worker of their own in the place of that one: it would have been started in vain. */
export async function expectWebviewWorker(keeper: Page, address: string): Promise<void> {
  const all = await keeper.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL),
  );
  if (all.includes(address)) return;
  throw new Error(`VS Code loads its webviews through ${all.join(', ')}, and not through ${address}.`);
}

function found(pattern: RegExp, text: string): string {
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`VS Code’s own files have no ${pattern}.`);
  return value;
}
