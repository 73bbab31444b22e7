import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usePanels } from '../usePanels';

const ROWS = 24;

describe('A column that ends early, in the table', () => {
  const suite = usePanels({
    prepare: async (workspace) => {
      const rows = Array.from({ length: ROWS }, (_, row) => `I love ${row},positive\n`);
      await writeFile(path.join(workspace, 'rows.csv'), `text,label\n${rows.join('')}`);
      await writeFile(
        path.join(workspace, 'try.experiment.json'),
        JSON.stringify({
          run: { model: 'sentiment', input: {} },
          vary: { '/model': ['sentiment', 'language-id'] },
          over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
          expected: { column: 'label', at: { sentiment: '/label', 'language-id': '/language' } },
          metrics: ['accuracy'],
          stop: { metric: 'accuracy', confidence: 0.95 },
        }),
      );
    },
  });

  it('says so in the summary, and leaves nothing to run', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    panels.openFile('try.experiment.json');
    const page = await panels.page('try.experiment.json');
    await panels.runCommand('Model Bench: Run Experiment');
    await panels.answer(/Start 48 runs/, /Start 48 Runs/);
    await page.getByText(/(\d\d) of \1 runs finished\./).waitFor({ state: 'attached' });
    await page.getByText('ended early').first().waitFor();
    await page.screenshot({ path: 'out/looks/experiment-ended-early.png' });
    await panels.runCommand('Model Bench: Run Experiment');
    await panels.notification(/Nothing to run: \d\d runs have finished\. \d\d runs are left out/);
  });
});
