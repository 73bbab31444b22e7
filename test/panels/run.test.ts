import assert from 'node:assert/strict';
import { usePanels } from '../support/panels/usePanels';

describe('A run of the sandbox', () => {
  const suite = usePanels();

  it('shows the models of the sandbox in the catalog', async () => {
    const { panels } = suite;
    panels.command('modelBench.startSandbox');
    const row = await panels.row('Catalog', /^Sentiment/);
    assert.match(row.description, /\$0\.001/);
    await panels.statusItem('modelBench.wallet', /\$10\.00/);
  });

  it('shows its result, its cost and its entry in the history', async () => {
    const { panels } = suite;
    panels.command('modelBench.runModel', { model: 'sentiment' });
    const page = await panels.page(/Sentiment/);
    await page.getByRole('textbox', { name: /text/i }).first().fill('What a lovely day.');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('positive').first().waitFor();
    await panels.row('History', /Sentiment/);
  });

  it('keeps its input and result through a reload', async () => {
    const { panels } = suite;
    await panels.reload();
    const page = await panels.page(/Sentiment/);
    assert.equal(
      await page.getByRole('textbox', { name: /text/i }).first().inputValue(),
      'What a lovely day.',
    );
    await page.getByRole('region', { name: 'Result' }).getByText('positive').first().waitFor();
  });
});
