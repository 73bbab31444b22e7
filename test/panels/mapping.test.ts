import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makePictures } from '../support/pictures';
import { useService } from './useService';

// The sandbox in foreign words: unclear first, then the user points, then all is right.

describe('A service that answers in words of its own', () => {
  const suite = useService({ prepare: (workspace) => makePictures(path.join(workspace, 'images'), 3) });
  /** Runs of the panel. */
  let sent = 0;

  const foreign = ({ body }: { body: unknown }) => {
    const { output, mode } = body as { output: unknown; mode: string };
    if (mode === 'execute') sent++;
    return {
      body: { ref: `r-${sent}`, phase: 'ABGESCHLOSSEN', payload: { answer: output }, billing: { ct: 1 } },
    };
  };
  const pointAt = async (name: RegExp, use: RegExp) => {
    const { panels } = suite;
    const { frame } = await panels.runPanel(/Sentiment/);
    await frame.getByRole('treeitem', { name }).first().click();
    await frame.getByRole('button', { name: 'Use As…' }).click();
    await panels.answer(/In all responses of/, use);
  };
  const run = async () => {
    const panel = await suite.panels.runPanel(/Sentiment/);
    await panel.field('Text').fill('What a lovely day.');
    await panel.button('Run').click();
    return panel;
  };

  it('leaves indexed files unconfirmed', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', foreign);
    await panels.index('images', 'photos');
    (await panels.dialog()).pick('Index 3 Files');
    assert.match(await panels.indexedInto('photos'), /Indexed 0 of 3 files into photos\. 3 unconfirmed/);
  });

  it('stays not understood first, with its response one click away', async () => {
    const { panels } = suite;
    await panels.openRunPanel(/Sentiment/);
    const { frame, result } = await run();
    await result.getByText('Response not understood').first().waitFor();
    await frame.getByRole('button', { name: 'Show What Came' }).click();
    await frame.getByRole('treeitem', { name: /ABGESCHLOSSEN/ }).waitFor();
    await result.getByText(/to say what it is/).waitFor();
  });

  it('becomes understood by three clicks, without another run', async () => {
    const { panels } = suite;
    const { frame, result } = await panels.runPanel(/Sentiment/);
    await pointAt(/ABGESCHLOSSEN/, /means finished/);
    await result
      .getByText(/^Finished/)
      .first()
      .waitFor();
    await panels.notification(/read by your mapping/);
    await frame.getByRole('treeitem', { name: /^billing/ }).click();
    await pointAt(/^ct: 1/, /hundredths/);
    await panels.enter(/Currency/, 'EUR');
    await result
      .getByText(/€0\.01|0\.01 EUR/)
      .first()
      .waitFor();
    await frame.getByRole('treeitem', { name: /^payload/ }).click();
    panels.clearNotifications();
    await pointAt(/^answer/, /^Result$/);
    await frame.getByRole('tab', { name: 'Preview' }).click();
    await result.getByText('positive').first().waitFor();
    assert.equal(sent, 1);
  });

  it('forgets the last place with Undo, and reads later runs at once', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel(/Sentiment/);
    await panels.press(/read by your mapping/, 'Undo');
    await panel.result.getByText('ABGESCHLOSSEN').first().waitFor();
    await run();
    await panels.until(() => sent === 2, 'a second run');
    await panel.result
      .getByText(/^Finished/)
      .first()
      .waitFor();
  });

  it('becomes understood by a mapping of the repository, after one look', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'company.responses.json');
    await writeFile(
      file,
      JSON.stringify({ run: { state: '/phase', finished: ['ABGESCHLOSSEN'], result: '/payload/answer' } }),
    );
    panels.command('modelBench.useMapping', panels.uri('company.responses.json'));
    await panels.answer(/by this mapping\?/, 'Use This Mapping');
    assert.match(await readFile(file, 'utf8'), /phase/);
    await panels.press(/read by your mapping/, 'Copy Mapping');
    await panels.until(() => /"\/phase"/.test(panels.kept.clipboard), 'The copied mapping');
    const { result } = await run();
    await panels.until(() => sent === 3, 'a third run');
    await result.getByText('positive').first().waitFor();
  });

  it('confirms files of earlier jobs at a click, without another run', async () => {
    const { panels } = suite;
    panels.clearNotifications();
    panels.command('modelBench.useMapping', panels.uri('company.responses.json'));
    await panels.answer(/by this mapping\?/, 'Use This Mapping');
    await panels.press(/read by your mapping/, 'Read Runs of Jobs Again');
    await panels.notification(/1 of 1 runs of jobs were read again, none was sent/);
    await panels.row('Scopes', /Image Similarity/);
    const rows = async () => (await panels.allRows('Scopes')).map(({ text }) => text).join('\n');
    await panels.until(async () => /3 items/.test(await rows()), 'The indexed files');
    assert.doesNotMatch(await rows(), /unconfirmed/);
  });
});
