import type { Browser } from 'playwright-core';
import type { UsageHostMethods } from '../../src/protocol/usage';
import { openWebviewPage, type WebviewPage } from './webviewPage';

type Answers = { [Name in keyof UsageHostMethods]?: (params: never) => unknown };

/** The usage page in a plain browser; the test plays its host. */
export interface UsagePageHarness extends Omit<WebviewPage, 'tell'> {
  /** What the host answers from now on. */
  answer(answers: Answers): void;
  tell(method: 'reload' | 'spent'): Promise<void>;
}

export async function openUsagePage(browser: Browser, first: Answers): Promise<UsagePageHarness> {
  let answers: Answers = first;
  const opened = await openWebviewPage(browser, {
    name: 'usage',
    height: 900,
    answer: (method, params) => answers[method as keyof UsageHostMethods]?.(params as never),
  });
  await opened.page.getByRole('heading', { name: 'Usage and billing' }).waitFor();
  return {
    ...opened,
    answer: (more) => {
      answers = { ...answers, ...more };
    },
    tell: (method) => opened.tell(method, null),
  };
}
