import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callHere } from '../../support/commandLine';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { run, upload } from '../../support/sandboxCalls';
import { disc } from '../../support/sandboxPictures';

describe('Commands that look something up', () => {
  let sandbox: TestSandbox;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-look-up-'));
    sandbox = await sandboxInProcess();
  });
  after(async () => {
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  const call = (words: readonly string[], baseUrl = sandbox.baseUrl) =>
    callHere([...words, '--base-url', baseUrl], { cwd: folder, apiKey: sandbox.apiKey });

  it('lists the models that have all words, aligned or as JSON', async () => {
    const found = await call(['models', 'text', 'similar']);
    assert.deepEqual([found.code, found.err], [0, '']);
    assert.match(found.out, /^text-similarity {2,}Text Similarity {2,}.*\n$/);
    const { models, incomplete } = JSON.parse((await call(['models', '--json'])).out);
    assert.ok(models.length > 5);
    assert.equal(incomplete, undefined);
    assert.equal(
      models.find((one: { slug: string }) => one.slug === 'sentiment').name,
      'Sentiment (English)',
    );
    const none = await call(['models', 'no model is called that']);
    assert.deepEqual([none.code, none.out, none.err], [0, '', 'No model matches.\n']);
  });

  it('searches a scope with a file, in one run', async () => {
    const picture = disc(200, 30, 30);
    const media_ref = await upload(sandbox, picture);
    const indexed = await run(sandbox, {
      ...{ model: 'image-similarity', mode: 'index', scope: 'discs' },
      input: { images: [{ media_ref }], image_ids: ['red.png'] },
      params: {},
    });
    assert.equal(indexed.status, 200);
    await writeFile(path.join(folder, 'query.png'), picture);
    const words = ['search', 'query.png', '--scope', 'discs', '--model', 'image-similarity'];
    const { code, out, err } = await call(words);
    assert.equal(code, 0, err);
    assert.match(out, /^1 {2}score \S+ {2}red\.png\n$/);
    const { hits, measure, cost } = JSON.parse((await call([...words, '--json'])).out);
    assert.deepEqual([hits[0].id, measure], ['red.png', 'score']);
    assert.match(cost.amount, /^0\.\d+$/);
  });

  it('sends nothing for a file that the model does not take, or that is not there', async () => {
    await writeFile(path.join(folder, 'page.png'), '<!doctype html><p>Not found</p>');
    const sent = (file: string, model = 'image-similarity') =>
      call(['search', file, '--scope', 'discs', '--model', model]);
    assert.match((await sent('page.png')).err, /page\.png/);
    for (const one of [sent('page.png'), sent('missing.png'), sent('query.png', 'sentiment')])
      assert.equal((await one).code, 2);
  });
});
