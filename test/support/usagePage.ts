import type { Browser } from 'playwright-core';
import type { UsageHostMethods } from '../../src/protocol/usage';
import { openWebviewPage, type WebviewPage } from './webviewPage';

type Responses = { [Name in keyof UsageHostMethods]?: (params: never) => unknown };

/** The usage page in a plain browser; the test plays its host. */
export interface UsagePageHarness extends Omit<WebviewPage, 'notify'> {
  /** Sets the host's responses. */
  response(responses: Responses): void;
  notify(method: 'reload' | 'spent'): Promise<void>;
}

export async function openUsagePage(browser: Browser, first: Responses): Promise<UsagePageHarness> {
  let responses: Responses = first;
  const opened = await openWebviewPage(browser, {
    name: 'usage',
    height: 900,
    response: (method, params) => responses[method as keyof UsageHostMethods]?.(params as never),
  });
  await opened.page.getByRole('heading', { name: 'Usage and billing' }).waitFor();
  return {
    ...opened,
    response: (more) => {
      responses = { ...responses, ...more };
    },
    notify: (method) => opened.notify(method, null),
  };
}
