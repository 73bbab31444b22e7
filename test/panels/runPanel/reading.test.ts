import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chooseInMenu } from '../../support/pageMenu';
import { useService } from '../useService';

const SENTIMENT = 'Sentiment (English)';

describe('The readings of the run panel', () => {
  const suite = useService({
    prepare: (workspace) =>
      writeFile(
        path.join(workspace, 'rows.csv'),
        'text;label\r\nA lovely day.;positive\nAwful.;negative\r\n',
      ),
  });

  const responds = (contentType: string, body: string) =>
    suite.service.serve('/api/runs', { contentType, bytes: Buffer.from(body) });

  it('says of each response whether the run finished, failed or is not understood', async () => {
    const panel = await suite.panels.openRunPanel(SENTIMENT);
    await panel.fill('Text', 'What a lovely day.');
    const ways: readonly (readonly [type: string, body: string, heading: RegExp, said: RegExp])[] = [
      ...([
        ['application/json', '{"error":{"message":"The GPU pool is empty."}}', /^Failed after/, /GPU pool/],
        [
          'text/event-stream',
          'data: {"text":"a"}\r\n\r\ndata: {"error":"No memory"}\r\n\r\n',
          /^Failed after/,
          /No memory/,
        ],
        [
          'text/html',
          '<!doctype html><title>Sign in</title>',
          /^Response not understood/,
          /does not say whether/,
        ],
        ['application/json', '{"label":"cat","loss":NaN}', /^Finished in/, /are shown as null/],
      ] as const),
    ];
    for (const [type, body, heading, said] of ways) {
      responds(type, body);
      await panel.button('Run').click();
      await panel.result.getByText(said).first().waitFor();
      await panel.result.getByText(heading).last().waitFor();
    }
    suite.service.serve('/api/runs');
  });

  it('says by which character it took the columns of a table', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel(SENTIMENT);
    await chooseInMenu(panel.frame, 'Other Ways to Run', 'Experiment…');
    await panels.enter(/Name of the experiment/, 'rows');
    const page = await panels.page('rows.experiment.json');
    await page.getByRole('button', { name: 'Choose a Table…' }).click();
    await panels.chooseFile(`${panels.workspace}/rows.csv`);
    await page
      .getByText(/2 rows.*columns taken at each “;”/)
      .first()
      .waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Use of column label' }).inputValue(), 'expected');
  });
});
