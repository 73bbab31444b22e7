import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';
import { Steps } from '../support/steps';
import { beginWaits, endWaits } from '../support/waits';

describe('What a journey waits for', () => {
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

  it('has stood there before the test: that fails', async () => {
    await page.getByRole('button').click();
    await page.getByText('old').waitFor();
    assert.throws(endWaits, /click getByRole\('button'\).*\n.*getByText\('old'\)/);
  });

  it('is not found out only at its end, but when it acts again', async () => {
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

  it('is gone: that holds', async () => {
    await page.getByRole('button').click();
    await page.getByText('never').waitFor({ state: 'hidden' });
    endWaits();
  });

  it('is looked at before anything is done: that holds', async () => {
    await page.getByText('old').waitFor();
    endWaits();
  });
});
