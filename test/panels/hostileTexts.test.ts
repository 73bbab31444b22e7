import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type HostileService, startHostileService } from '../support/hostileService';
import { isPlain } from '../support/hostileText';
import { readableByOthers } from '../support/hostWatch';
import { usePanels } from './usePanels';

/** Reorders, hides, commands a terminal, links, and is long. */
const NAME = `a\u202eb\u200bc\u0007d\u001b[31m [x](command:workbench.action.quit) <img src=x onerror=alert(1)> $(trash) ${'é\u0301\u0301'.repeat(40)}`;
const HIDDEN = /(?![\t\n\r])\p{Cc}|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** Texts, titles and names of a page that hide or reorder something, and active elements. */
async function actingIn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(`(() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode())
      if (!node.parentElement.closest('script, style, textarea, pre, code, .mb-markdown')) found.push(node.data);
    for (const element of document.querySelectorAll('[title], [aria-label], [alt]'))
      for (const name of ['title', 'aria-label', 'alt']) found.push(element.getAttribute(name) ?? '');
    return found;
  })()`);
  const links = await page.evaluate(
    `[...document.querySelectorAll('a[href^="command:"], a[href^="javascript:"], img[src^="http"][onerror]')].map((one) => one.outerHTML)`,
  );
  return [...(texts as string[]).filter((text) => HIDDEN.test(text)), ...(links as string[])];
}

describe('Texts of a service and of a repository that hide, reorder or command', () => {
  const umask = process.umask();
  let service: HostileService;
  before(async () => {
    process.umask(0);
    service = await startHostileService(0);
  });
  const suite = usePanels();
  after(async () => {
    process.umask(umask);
    await service.close();
  });

  /** Texts of the window that would be a link, an icon or another order. */
  async function actingInWindow(): Promise<string[]> {
    const { panels } = suite;
    const rows = (await Promise.all(['Catalog', 'History'].map((view) => panels.allRows(view)))).flat();
    const { notifications, questions, statusItems } = panels.window;
    const texts = [
      ...rows.flatMap(({ label, description }) => [label, description]),
      ...notifications.flatMap(({ text, buttons }) => [text, ...buttons]),
      ...questions.open.flatMap(({ text, choices }) => [text, ...choices]),
      ...panels.window.panels.map(({ title }) => title),
    ];
    const hovers = rows.map(({ tooltip }) => tooltip);
    const own = [...statusItems.values()].map(({ text }) => text.replace(/^\$\([a-z~-]+\)/, ''));
    return [...texts, ...own]
      .filter((text) => !isPlain(text))
      .concat(hovers.filter((text) => HIDDEN.test(text)));
  }

  it('appear as text in the catalog, the run panel and the history', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'hostile', baseUrl: service.url, apiKey: service.apiKey });
    await panels.row('Catalog', /Target/);
    const panel = await panels.openRunPanel(/Target/);
    const page = panel.frame as Page;
    // The contract asks for a pattern that takes years where it backtracks.
    await panel.fill('Text', 'my own words that Nobody else reads');
    for (const [at, answer] of service.runAnswers.entries()) {
      await panel.button('Run').click();
      await panels.until(() => service.runs > at, `The request “${answer}”`);
      await panel.button('Run').waitFor();
      assert.deepEqual(await actingIn(page), [], answer);
      assert.deepEqual(await actingInWindow(), [], answer);
    }
    await panels.row('History', /Target/);
  });

  it('appear as text in the table of an experiment', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'try.experiment.json');
    await writeFile(
      file,
      JSON.stringify({ run: { model: 'target', input: {} }, vary: { '/input/text': [NAME, `${NAME}!`] } }),
    );
    panels.openFile('try.experiment.json');
    const page = await panels.page(/try/);
    await page.getByText('[U+202E]').first().waitFor();
    assert.deepEqual(await actingIn(page), []);
  });

  it('appear as text in usage and billing', async () => {
    const { panels } = suite;
    await panels.runCommand('Model Bench: Show Usage and Billing');
    const page = await panels.page('Usage and Billing');
    await page.getByText(/\bentr(?:y|ies)$/).click();
    await page.getByRole('region', { name: 'Activity' }).getByRole('cell').first().waitFor();
    assert.deepEqual(await actingIn(page), []);
    assert.deepEqual(await actingInWindow(), []);
  });

  it('cause no request elsewhere, and leave only files that others cannot read, under any umask', async function () {
    assert.deepEqual(
      service.lured.map(({ path: route }) => route),
      [],
    );
    if (process.platform === 'win32') this.skip();
    const { storage } = suite.panels.kept;
    assert.deepEqual(await readableByOthers(path.join(storage, 'global')), []);
    assert.equal((await stat(path.join(storage, 'global'))).mode & 0o077, 0);
  });
});
