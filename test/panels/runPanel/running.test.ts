import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PNG } from 'pngjs';
import { violationsInEachTheme } from '../../support/axe';
import { usePanels } from '../usePanels';

function picture(): Buffer {
  const png = new PNG({ width: 32, height: 32 });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([200, at % 255, 40, 255], at);
  return PNG.sync.write(png);
}

describe('The run panel', () => {
  const suite = usePanels({
    prepare: async (workspace) => {
      await mkdir(path.join(workspace, 'images'));
      await writeFile(path.join(workspace, 'images', 'red.png'), picture());
    },
  });

  const open = (model: string) => suite.panels.openRunPanel(model);

  it('opens for a model of the catalog and shows the result', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    const panel = await open('Sentiment (English)');
    await panel.fill('Text', 'What a lovely day.');
    assert.match(await panel.run(), /positive/);
    await panel.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
  });

  it('keeps form, JSON and code one value', async () => {
    const { panels } = suite;
    const page = await panels.page('Sentiment (English)');
    const panel = await panels.runPanel('Sentiment (English)');
    await panel.tab('JSON').click();
    const editor = panel.frame.getByRole('textbox', { name: 'Input and parameters as JSON' });
    await editor.getByText('"What a lovely day."').waitFor();
    await editor.press('Control+a');
    await page.keyboard.insertText('{"input": {"text": "What a dreadful day."}, "params": {}');
    await panel.frame.getByText('The form updates once the JSON is valid.').waitFor();
    await panel.tab('Form').click();
    await panel.frame.getByText('The form updates once the JSON is valid.').waitFor();
    await panel.tab('JSON').click();
    await editor.press('Control+End');
    await page.keyboard.insertText('}');
    await panel.tab('Form').click();
    await panel.field('Text').waitFor();
    assert.equal(await panel.field('Text').inputValue(), 'What a dreadful day.');
    await panel.tab('JSON').click();
    await editor.press('Control+a');
    await page.keyboard.insertText('{"input": {"text": 5}, "params": {}}');
    await panel.frame.locator('.cm-lintRange-error', { hasText: '5' }).hover();
    await panel.frame.locator('.cm-tooltip', { hasText: 'Enter text.' }).waitFor();
    await editor.press('Control+a');
    await page.keyboard.insertText('{"input": {"text": "What a dreadful day."}, "params": {}}');
    await panel.tab('Code').click();
    await panel.frame.getByText('What a dreadful day.').first().waitFor();
    await panel.tab('Form').click();
  });

  it('goes to the first problem instead of running', async () => {
    const panel = await suite.panels.runPanel('Sentiment (English)');
    await panel.fill('Text', '');
    await panel.button('Run').click();
    await panel.frame.getByRole('group', { name: 'Problems' }).waitFor();
    await panel.frame.waitForFunction(() => document.activeElement?.closest('[data-pointer="/input/text"]'));
    await panel.fill('Text', 'Better now.');
    await panel.frame.getByRole('group', { name: 'Problems' }).waitFor({ state: 'detached' });
  });

  it('brings typed work, files and the last result back after a reload of the window', async () => {
    const { panels } = suite;
    await panels.reload();
    const panel = await panels.runPanel('Sentiment (English)');
    assert.equal(await panel.field('Text').inputValue(), 'Better now.');
    await panel.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
    await panel.result.getByText('positive').first().waitFor();
  });

  it('takes an image by drop from the system and from the Explorer, and from the picker', async () => {
    const { panels } = suite;
    const panel = await open('Color Palette');
    await panel.dropFile('Image', { name: 'dropped.png', mimeType: 'image/png', bytes: picture() });
    assert.match(await panel.run(), /#|%/);
    await panel.button('Remove').click();
    const zone = panel.frame.getByRole('button', { name: /^Image Choose/ });
    const uri = panels.uri('images/red.png').toString();
    const dataTransfer = await zone.evaluateHandle((_zone, dropped) => {
      const transfer = new DataTransfer();
      transfer.setData('application/vnd.code.uri-list', dropped);
      return transfer;
    }, uri);
    await zone.dispatchEvent('drop', { dataTransfer });
    await panel.frame.getByText('red.png').first().waitFor();
    await panel.frame.locator('.medium-view img').waitFor();
    assert.match(await panel.run(), /#|%/);
    await panel.button('Remove').click();
    await zone.click();
    await panels.chooseFile(`${panels.workspace}/images/red.png`);
    await panel.button('red.png').waitFor();
  });

  it('explains stopping, and that the outcome is unknown', async () => {
    const panel = await open('Slow Echo');
    await panel.fill('Text', 'Still there?');
    await panel.button('Run').click();
    await panel.frame.getByText('the run may still be executed and billed').first().waitFor();
    await panel.button('Stop waiting').click();
    await panel.result.getByText('Unconfirmed').last().waitFor();
    await panel.button('Run').waitFor();
  });

  it('tells quietly of a run that ended in a hidden panel', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel('Slow Echo');
    await panel.frame.getByRole('textbox', { name: 'Seconds' }).fill('2');
    await panel.button('Run').click();
    await panel.button('Stop waiting').waitFor();
    panels.clickTab(/^Sentiment/);
    await panels.notification(/Slow Echo: run finished in/);
    await panels.press(/Slow Echo: run finished/, 'Show');
    const shown = await panels.runPanel('Slow Echo');
    await shown.result.getByText('Still there?').first().waitFor();
  });

  it('tells also of a run whose panel was closed, and opens it with its response', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel('Slow Echo');
    await panel.fill('Text', 'Closed meanwhile.');
    await panel.button('Run').click();
    await panel.frame.locator('.step', { hasText: 'Running…' }).waitFor();
    panels.closePanels(/^Slow Echo/);
    await panels.press(/Slow Echo: run finished/, 'Show');
    const shown = await panels.runPanel(/^Slow Echo/);
    await shown.result.getByText('Closed meanwhile.').first().waitFor();
    assert.equal(await shown.field('Text').inputValue(), 'Closed meanwhile.');
  });

  it('looks at home in every theme, and in a narrow panel', async () => {
    const { panels } = suite;
    const panel = await open('Form Showcase');
    await panel.fill('Title', 'A title');
    const page = await panels.page('Form Showcase');
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.setViewportSize({ width: 400, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
  });
});
