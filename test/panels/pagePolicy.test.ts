import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PageName } from '../../src/platform/pageHtml';
import { pageNames } from '../support/paths';
import { openWebviewPage, usePages } from '../support/webviewPage';

const pages = pageNames() as PageName[];

/** Ways in for a text that became markup; each resolves to whether its script ran or its HTML was made. */
const attacks: Readonly<Record<string, (name: string) => Promise<boolean>>> = {
  'a script beside the page’s own': (name) =>
    new Promise((resolve) => {
      const script = document.createElement('script');
      script.type = 'module';
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
      // The page's own file, without its nonce: allowed only by the source of its files.
      try {
        script.src = `/${name}.js`;
        document.head.append(script);
      } catch {
        resolve(false);
      }
    }),
  'a script element of a parsed text': async () => {
    const template = document.createElement('template');
    try {
      template.innerHTML = '<img src="x:" onerror="globalThis.hit = true">';
      return true;
    } catch {
      return false;
    }
  },
  'a policy of its own': async () => {
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): unknown };
    };
    try {
      trustedTypes.createPolicy('another', { createHTML: (text: string) => text });
      return true;
    } catch {
      return false;
    }
  },
  'a style sheet beside the page’s own': (name) =>
    new Promise((resolve) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = `/${name}.css?again`;
      link.onload = () => resolve(true);
      link.onerror = () => resolve(false);
      document.head.append(link);
    }),
  'the nonce of styles on a script': async () => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
    const script = document.createElement('script');
    script.nonce = nonce;
    try {
      script.textContent = 'globalThis.hit = true';
      document.head.append(script);
    } catch {
      return false;
    }
    return 'hit' in globalThis;
  },
  'a request': async () => {
    try {
      await fetch('/theme.css');
      return true;
    } catch {
      return false;
    }
  },
};

describe('The policy of a page', () => {
  const openPage = usePages(openWebviewPage);

  for (const name of pages) {
    it(`lets the page ${name} start, with all that it imports`, async () => {
      const opened = await openPage({ name, response: () => new Promise(() => undefined) });
      await opened.page.waitForFunction(() => document.body.children.length > 1);
    });

    it(`refuses the page ${name} everything else`, async () => {
      const { page, errors } = await openPage({ name, response: () => new Promise(() => undefined) });
      assert.deepEqual(await tried(page, name), []);
      // Each refusal was reported.
      assert.ok(errors.splice(0).length > 0);
    });
  }
});

/** The attacks that succeed. */
async function tried(page: Page, name: string): Promise<string[]> {
  const succeeded: string[] = [];
  for (const [title, attack] of Object.entries(attacks))
    if (await page.evaluate(attack, name)) succeeded.push(title);
  return succeeded;
}
