import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';
import { Steps } from '../support/steps';
import { beginWaits, endWaits } from '../support/waits';

describe('A wait of a journey', () => {
  let browser: Browser | undefined;
  let page: Page;

  before(async function () {
    // Then nothing fails: it is listed.
    if (process.env.MODEL_BENCH_WAITS !== undefined) this.skip();
    browser = await launchBrowser();
    page = await browser.newPage();
    await new Steps().recordIn(page);
  });
  const show = async () => {
    await page.goto('about:blank');
    await page.setContent(`<p>old</p><p id="changes">same</p><button>Act</button>
      <script>
        document.querySelector('button').onclick = () => setTimeout(() => {
          document.querySelector('#changes').firstChild.data = 'other';
          document.body.append(Object.assign(document.createElement('p'), { textContent: 'new' }));
        });
      </script>`);
    await page.getByText('old').waitFor();
  };
  after(() => browser?.close());
  beforeEach(async () => {
    await show();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2)));
    beginWaits('a test');
  });

  it('fails for content from before the test', async () => {
    await page.getByRole('button').click();
    await page.getByText('old').waitFor();
    assert.throws(endWaits, /click getByRole\('button'\).*\n.*getByText\('old'\)/);
  });

  it('fails at the next action, not only at the end', async () => {
    await page.getByRole('button').click();
    await page.getByText('old').waitFor();
    await assert.rejects(page.getByRole('button').click(), /Nothing that this act brings is waited for/);
  });

  for (const [what, text] of [
    ['was added', 'new'],
    ['was changed', 'other'],
  ] as const)
    it(`${what}: that holds`, async () => {
      await page.getByRole('button').click();
      await page.getByText(text, { exact: true }).last().waitFor();
      await page.getByText('old').waitFor();
      endWaits();
    });

  it('passes when it waits for a disappearance', async () => {
    await page.getByRole('button').click();
    await page.getByText('never').waitFor({ state: 'hidden' });
    endWaits();
  });

  it('passes before the first action', async () => {
    await page.getByText('old').waitFor();
    endWaits();
  });
});
