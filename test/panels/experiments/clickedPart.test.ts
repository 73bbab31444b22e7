import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Uri } from '../../support/panels/values';
import { usePanels } from '../usePanels';

describe('A value in the result of a cell', () => {
  const suite = usePanels();

  it('becomes the compared part of its model by a click, each click one edit of the file', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'both.experiment.json');
    const experiment = {
      run: { model: 'language-id', input: {} },
      vary: { '/model': ['language-id', 'word-statistics'] },
      over: { rows: 'labels.csv', map: { '/input/text': 'text' } },
      expected: { column: 'language' },
      metrics: ['accuracy'],
    };
    writeFileSync(
      path.join(panels.workspace, 'labels.csv'),
      'text,language\n"Good morning to all of you",eng\n',
    );
    writeFileSync(file, JSON.stringify(experiment, null, 2));
    await panels.startSandbox();
    panels.command('modelBench.runExperiment', Uri.file(file));
    await panels.answer(/Start 2 runs/, /Start 2 Runs/);
    await panels.notification(/2 of 2 runs finished/);
    panels.command('vscode.open', Uri.file(file));
    const page = await panels.page(/both/);
    await page.locator('.grid[aria-busy="false"]').waitFor();
    const { documents } = panels.window;
    let edits = 0;
    documents.changed.event(({ document }) => {
      if (document.fileName === file) edits += 1;
    });
    const expectedNow = () => {
      const open = documents.open.find(({ fileName }) => fileName === file);
      return (JSON.parse(open?.getText() ?? readFileSync(file, 'utf8')) as typeof experiment).expected;
    };
    await page.locator('#cell-0-0').dblclick();
    const values = page.getByRole('group', { name: 'Compared with the expected value, of language-id:' });
    await values.getByRole('button', { name: '/language eng' }).click();
    await values.getByRole('button', { name: '/language eng', pressed: true }).waitFor();
    assert.deepEqual(expectedNow(), {
      column: 'language',
      at: { 'language-id': '/language', 'word-statistics': '' },
    });
    assert.equal(edits, 1);
    await page.screenshot({ path: 'out/journeys/compared-by-click.png' });
    await page.locator('#cell-0-1').dblclick();
    const others = page.getByRole('group', { name: 'Compared with the expected value, of word-statistics:' });
    await others.getByRole('button').first().click();
    await others.getByRole('button', { pressed: true }).waitFor();
    const { at } = expectedNow() as unknown as { at: Record<string, string> };
    assert.equal(at['language-id'], '/language');
    assert.match(at['word-statistics']!, /^\/./);
    assert.equal(edits, 2);
  });
});
