import assert from 'node:assert/strict';
import path from 'node:path';
import { usePanels } from '../support/panels/usePanels';
import { Uri } from '../support/panels/values';
import { makePictures } from '../support/pictures';

describe('Indexing a folder', () => {
  const suite = usePanels();

  it('asks for the model, the scope and once before it starts, and reports the files and the cost', async () => {
    const { panels } = suite;
    await makePictures(path.join(panels.workspace, 'images'), 12);
    panels.command('modelBench.startSandbox');
    await panels.row('Catalog', /^Image Similarity/);
    const folder = Uri.file(path.join(panels.workspace, 'images'));
    panels.command('modelBench.indexMedia', folder, [folder]);
    await panels.answer(/Index with which model/, /Image Similarity/);
    await panels.answer(/Into which scope/, 'playground');
    const question = await panels.question(/12/);
    question.pick(/^Index/);
    const { text } = await panels.notification(/Indexed/);
    assert.match(text, /Indexed 12 of 12 files into playground for \$0\.\d+/);
  });

  it('lists the items in the scope, and finds nothing to do a second time', async () => {
    const { panels } = suite;
    await panels.row('Scopes', /^Image Similarity.*12/);
    const folder = Uri.file(path.join(panels.workspace, 'images'));
    panels.command('modelBench.indexMedia', folder, [folder]);
    await panels.answer(/Index with which model/, /Image Similarity/);
    await panels.answer(/Into which scope/, 'playground');
    await panels.notification(/unchanged|already indexed|up to date/i);
  });
});
