import assert from 'node:assert/strict';
import path from 'node:path';
import { makePictures } from '../support/pictures';
import { useService } from './useService';

const WALLET = 'modelBench.wallet';
const SENTIMENT = 'Sentiment (English)';

/** Markdown as it reads. */
const plain = (markdown: string) => markdown.replaceAll(/&nbsp;|\s+/g, ' ').replaceAll(/\\|\*\*/g, '');

describe('Money before a run', () => {
  const suite = useService({
    environments: ['Staging', 'Idle'],
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), 40),
  });

  it('shows the wallet, with environment, status and the time of reading', async () => {
    const { panels, service } = suite;
    const { tooltip } = await panels.statusItem(WALLET, 'Staging: $10.00', 'Spent');
    const told = plain(tooltip);
    for (const words of [
      `Environment: Staging, ${service.url} `,
      'Balance: $10.00',
      'Status: active',
      /Read at \d/,
      'Spent from this window: $0.00 · no budget',
    ])
      assert.ok(typeof words === 'string' ? told.includes(words) : words.test(told), `${words} in ${told}`);
  });

  it('shows the published price before the first run, under that name, and an estimate after a run', async () => {
    const { panels } = suite;
    panels.click(await panels.row('Catalog', SENTIMENT));
    const panel = await panels.runPanel(SENTIMENT);
    await panel.frame.getByText('$0.001 per run').first().waitFor();
    await panel.frame.getByTitle(/published price/).waitFor();
    await panel.fill('Text', 'A fine day.');
    await panel.button('Run').click();
    await panel.frame
      .getByTitle(/^Estimate: about \$0\.001 · .* from your last run$/)
      .getByText(/^about \$0\.001 · .*s$/)
      .waitFor();
    await panels.row('Catalog', /^Sentiment \(English\).*1 run, about \$0\.001 each/);
    const { tooltip } = await panels.statusItem(WALLET, 'Staging: $9.99', /9\\*\.999/);
    assert.match(plain(tooltip), /Last change: −\$0\.001, between/);
  });

  it('costs no request while the window is idle, and catches up later', async () => {
    const { panels } = suite;
    const readings = () =>
      suite.serviceOf('Idle').seen.filter(({ path: route }) => route === '/api/billing/wallet').length;
    const before = readings();
    panels.window.focus(true, false);
    await panels.switchTo('Idle');
    // Watched, the window reads at once after a change of the environment, and again after a run.
    await panels.row('Catalog', SENTIMENT);
    const panel = await panels.openRunPanel(SENTIMENT);
    await panel.fill('Text', 'An idle day.');
    await panel.run();
    assert.equal(readings(), before);
    panels.window.focus(true);
    await panels.statusItem(WALLET, 'Idle: $9.99', /9\\*\.998/);
    assert.equal(readings(), before + 1);
    await panels.switchTo('Staging');
  });

  it('leads to one question before a job, with its cost and the remaining amount', async () => {
    const { panels } = suite;
    panels.changeSettings({
      'modelBench.budget.confirmRuns': 2,
      'modelBench.indexing.batchSize': 4,
    });
    await panels.statusItem(WALLET, '$9.99', /9\\*\.998/);
    await panels.index('images');
    const said = (await panels.dialog()).text;
    assert.match(said, /10 runs, about \$0\.02.*; leaves \$9\.9\d/);
    (await panels.dialog()).cancel();
    const { runs } = await suite.sandbox.ledger();
    assert.equal(runs['image-similarity index'], undefined);
  });
});
