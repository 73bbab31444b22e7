import type { Browser, Locator, Page } from 'playwright-core';
import type { UsageHostMethods } from '../../src/protocol/usage';
import { chooseInMenu } from '../support/pageMenu';
import { openWebviewPage, usePages, type WebviewPage } from '../support/webviewPage';
import { responses as usual } from './shownUsage';

type Responses = { [Name in keyof UsageHostMethods]?: (params: never) => unknown };

/** The usage page in a plain browser; the test plays its host. */
export interface UsagePageHarness extends Omit<WebviewPage, 'notify'> {
  /** Sets the host's responses. */
  response(responses: Responses): void;
  notify(method: 'reload' | 'spent' | 'balance', params?: unknown): Promise<void>;
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
    notify: (method, params = null) => opened.notify(method, params),
  };
}

/** The usage page of a test, once the test has opened it. */
export interface OpenUsage {
  readonly usage: UsagePageHarness;
  /** Opens the page, with other responses than usual; resolves when it is filled. */
  readonly open: (more?: Responses) => Promise<Page>;
  /** Resolves when it shows all that it has asked for. */
  readonly settled: () => Promise<void>;
  readonly part: (name: string) => Locator;
  /** Chooses a raw response or an export. */
  readonly choose: (entry: string) => Promise<void>;
  /** The parameters of its newest call of a method. */
  readonly lastAsked: (method: string) => Record<string, string> | undefined;
}

/** For use at the top of a `describe`. */
export function useUsagePage(): OpenUsage {
  const openPage = usePages(openUsagePage);
  let usage: UsagePageHarness;
  const settled = () => usage.page.locator('main[aria-busy="false"]').waitFor();
  return {
    get usage() {
      return usage;
    },
    open: async (more = {}) => {
      usage = await openPage({ ...usual, ...more });
      await settled();
      return usage.page;
    },
    settled,
    part: (name) => usage.page.getByRole('region', { name, exact: true }),
    choose: (entry) => chooseInMenu(usage.page, 'Raw Responses and Exports', entry),
    lastAsked: (method) =>
      usage.said.findLast((one) => one.method === method)?.params as Record<string, string> | undefined,
  };
}
