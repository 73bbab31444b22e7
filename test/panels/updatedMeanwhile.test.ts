import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { useService } from '../support/panels/useService';

describe('A window of an earlier version, once a newer one has changed the data', () => {
  const suite = useService();

  it('sends no run, and asks for a reload', async () => {
    const { panels } = suite;
    await panels.runCommand('Model Bench: Run Model…');
    await panels.answer('Choose a model to run', /Sentiment/);
    const page = await panels.page(/Sentiment/);
    await page.getByRole('textbox', { name: /text/i }).first().fill('What a lovely day.');
    const newer = new DatabaseSync(path.join(panels.globalStorage, 'store/model-bench.db'));
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText(/Model Bench was updated.*Reload this window/).waitFor();
    assert.equal(await suite.sent(), 0);
  });
});
