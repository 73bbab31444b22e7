import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addressService } from '../support/addressService';
import type { FaultProxy } from '../support/faultProxy';
import { Uri } from '../support/panels/values';
import { usePanels } from './usePanels';

describe('An experiment whose results name pictures by address', () => {
  const suite = usePanels();
  let service: FaultProxy;
  before(async () => {
    service = await addressService();
  });
  after(() => service.close());

  const file = (name: string) => path.join(suite.panels.workspace, `${name}.experiment.json`);
  const put = (name: string, texts: readonly string[]) =>
    writeFile(
      file(name),
      JSON.stringify({ run: { model: 'language-id', input: {} }, vary: { '/input/text': texts } }),
    );
  const asks = () =>
    suite.panels.window.notifications.filter(({ text }) => /name pictures or other media/.test(text));
  const pictures = async (name: string) =>
    (await readdir(path.join(suite.panels.workspace, `${name}.results`)).catch(() => [])).length;

  it('shows addresses, and the pictures once they are wanted', async () => {
    const { panels } = suite;
    panels.command('modelBench.connect');
    await panels.enter(/Name/, 'Addresses');
    await panels.enter(/Base URL/, service.url);
    await panels.enter(/API Key/, 'a-key-of-tests');
    await panels.statusItem('modelBench.wallet', 'Addresses');
    await put('try', ['a', 'b']);
    panels.command('modelBench.runExperiment', Uri.file(file('try')));
    await panels.answer(/Start 2 runs/, /Start 2 Runs/);
    await panels.notification(/finished/);
    const question = await panels.notification(/name pictures or other media/);
    assert.match(question.text, /127\.0\.0\.1/);
    assert.equal(await pictures('try'), 0);
    panels.command('vscode.open', Uri.file(file('try')));
    const page = await panels.page(/try/);
    await page.getByText('Address: 127.0.0.1').first().waitFor();
    question.press('Keep Files');
    await panels.until(async () => (await pictures('try')) === 2, 'The pictures');
    // Only the first eight bytes are those of a picture.
    await page.locator('mb-thumbnail').getByText('Cannot be shown').nth(1).waitFor();
    assert.equal(await page.getByText('Address:').count(), 0);
  });

  it('asks once for a service, even after a reload', async () => {
    const { panels } = suite;
    await panels.reload();
    await put('more', ['c']);
    panels.command('modelBench.runExperiment', Uri.file(file('more')));
    await panels.answer(/Start 1 run/, /Start 1 Run/);
    await panels.until(async () => (await pictures('more')) === 1, 'The picture');
    assert.equal(asks().length, 0);
    assert.equal(service.executedRuns, 3);
  });
});
