import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { formShowcase } from '../../../src/sandbox/models/formShowcase';
import { violationsInEachTheme } from '../../support/axe';
import { launchBrowser } from '../../support/browser';
import { chooseInHead } from '../../support/pageMenu';
import { done, modelOf, openRunPage, type RunPageHarness } from '../../support/runPage';

const { inputSchema, paramsSchema } = formShowcase.modes.execute!;

const mode = { examples: [{ title: 'Short', input: { title: 'ab' }, params: {} }] };
const contract = modelOf(inputSchema as never, paramsSchema as never, mode);
const responses = {
  pickFiles: () => {
    throw new Error('The file is not there any more.');
  },
};

describe('Every state of the run panel, to a screen reader', () => {
  let browser: Browser;
  let panel: RunPageHarness;

  before(async () => {
    browser = await launchBrowser();
    panel = await openRunPage(browser, contract, { responses });
    // All of the form: a control that the run bar covers in part has a place that is too small.
    await panel.page.setViewportSize({ width: 1000, height: 4000 });
  });
  after(async () => {
    assert.deepEqual(panel.errors, []);
    await panel.close();
    await browser.close();
  });

  it('passes with every group of the form open', async () => {
    const { page } = panel;
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
  });

  it('passes with an example that breaks its own schema, and with the problems', async () => {
    const { page } = panel;
    await chooseInHead(page, 'Short');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('group', { name: 'Problems' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
  });

  it('passes in the JSON tab, whole and broken', async () => {
    const { page } = panel;
    await page.getByRole('tab', { name: 'JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Input and parameters as JSON' });
    await editor.waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    await editor.press('Control+End');
    await page.keyboard.type(',');
    await page.getByText('The form updates once the JSON is valid').waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    await editor.press('Backspace');
  });

  it('passes in the Code tab', async () => {
    const { page } = panel;
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByText('/api/runs').first().waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    await page.getByRole('tab', { name: 'Form' }).click();
  });

  it('passes while a run is in progress, and moves only where motion is wanted', async () => {
    const { page } = panel;
    await panel.showRun({
      state: 'running',
      elapsedMs: 300,
      environment: 'Test',
      stopping: false,
      step: { step: 'uploading', file: 3, files: 12, sentBytes: 10, totalBytes: 1000 },
    });
    await page.getByRole('button', { name: 'Stop waiting' }).waitFor();
    await page.getByText('Uploading 3 of 12').first().waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    const moving = () => page.evaluate(() => document.getAnimations().length);
    await page.evaluate(() => {
      const fades = document.body.appendChild(document.createElement('p'));
      fades.id = 'fades';
      fades.style.transition = 'opacity 100s';
      fades.offsetWidth;
      fades.style.opacity = '0';
    });
    assert.ok((await moving()) > 0);
    // VS Code sets it for its own setting, and for the system's.
    await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    assert.equal(await moving(), 0, 'VS Code asks for reduced motion');
    await page.evaluate(() => document.body.classList.remove('vscode-reduce-motion'));
    await page.evaluate(() => document.getElementById('fades')?.remove());
  });

  it('passes with a result in each of its readings', async () => {
    const { page } = panel;
    const output = {
      label: 'positive',
      score: 0.5,
      candidates: [{ label: 'a', score: 0.9 }],
      rows: [{ a: 1 }],
    };
    const response = {
      contentType: 'application/json',
      sizeBytes: 20,
      kind: 'json' as const,
      recognised: true,
      bodyChars: 20,
    };
    await panel.showRun(done({ response }), output);
    const result = page.getByRole('region', { name: 'Result' });
    for (const name of ['Preview', 'JSON', 'Request', 'Headers']) {
      await result.getByRole('tab', { name }).click();
      await result.getByRole('tabpanel', { name }).waitFor();
      assert.deepEqual(await violationsInEachTheme(panel.page), []);
    }
    await result.getByRole('tab', { name: 'JSON' }).click();
    await result.getByRole('button', { name: 'Raw' }).click();
    await result.locator('.code-block').waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
  });

  it('passes with earlier runs, and shows one that is pressed', async () => {
    const { page } = panel;
    const row = { environment: 'Test', startedAt: 0, input: 'a text' };
    const runs = [
      { ...row, id: 'run', state: 'finished', cost: { amount: '0.01', currency: 'USD' } },
      { ...row, id: 'older', state: 'failed', environment: 'Another' },
      { ...row, id: 'oldest', state: 'unknown' },
    ];
    await panel.notify('showFacts', { earlier: runs });
    await page.getByText('Earlier runs (3)').click();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    await page.getByText('1 in Another').click();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    const [first, second] = await page
      .locator('.earlier li')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok(first! <= 30 && second === first, `one line each: ${first}, ${second}`);
    await page.locator('.earlier details li').getByRole('button').first().press('Enter');
    assert.deepEqual(panel.said.at(-1), { method: 'showEarlier', params: { id: 'older' } });
  });

  it('passes after a failed run, and offers the next step', async () => {
    const { page } = panel;
    const message = 'The wallet cannot pay for this run.';
    await panel.showRun(
      done({
        id: 'other',
        state: 'failed',
        status: 402,
        message,
        nextStep: { step: 'showUsage', title: 'Show Usage' },
      }),
    );
    await page.getByText(message).waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    await page.getByRole('button', { name: 'Show Usage' }).click();
    assert.deepEqual(panel.said.at(-1), { method: 'takeStep', params: { step: 'showUsage' } });
  });

  it('passes for every outcome of a run', async () => {
    const { page } = panel;
    const told = [
      ['accepted', 'Accepted, not finished yet'],
      ['unknown', 'Unconfirmed'],
      ['notSent', 'Not sent'],
    ] as const;
    for (const [state, headline] of told) {
      await panel.showRun(done({ id: state, state, message: 'Why, in a sentence.' }));
      await page.locator('.outcome').getByText(headline).waitFor();
      assert.deepEqual(await violationsInEachTheme(panel.page), [], state);
    }
  });

  it('passes with files attached and typed, while one is dragged over the form', async () => {
    const draft = {
      model: 'try-me',
      mode: 'execute',
      input: { title: 'A title', picture: { media_ref: 'file:///w/a.png', filename: 'a.png' } },
      params: {},
    };
    const file = { uri: 'file:///w/a.png', filename: 'a.png', contentType: 'image/png', sizeBytes: 5 };
    const panel = await openRunPage(browser, contract, {
      work: { draft, tab: 'form' },
      files: [file],
      responses,
    });
    const { page } = panel;
    await page.setViewportSize({ width: 1000, height: 4000 });
    await page.getByRole('button', { name: 'Open a.png' }).or(page.getByText('a.png')).first().waitFor();
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', 'file:///w/b.png');
      document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }));
    });
    await page.getByText('Hold Shift while dropping').first().waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })));
    await page.getByRole('button', { name: 'Replace…' }).first().click();
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
    assert.deepEqual(panel.errors, []);
    await panel.close();
  });

  it('passes when the model could not be read again, and keeps the earlier contract', async () => {
    const { page } = panel;
    const problem = {
      message: 'The service could not be reached.',
      nextStep: { step: 'refresh', title: 'Refresh' },
    };
    await panel.notify('showContract', { problem });
    await page.getByText(problem.message).waitFor();
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
    assert.deepEqual(await violationsInEachTheme(panel.page), []);
  });
});
