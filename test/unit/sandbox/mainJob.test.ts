import assert from 'node:assert/strict';
import { refillPlayMoney } from '../../../src/features/sandbox/proof';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { call, run, upload } from '../../support/sandboxCalls';
import { disc } from '../../support/sandboxPictures';

describe('the sandbox, from the catalog to a search result', () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await sandboxInProcess();
  });
  after(() => sandbox.stop());

  it('lists its models and the whole contract of each', async () => {
    const list = await call(sandbox, 'GET', '/api/marketplace/models');
    assert.equal(list.status, 200);
    assert.ok(list.body.models.length >= 3);
    for (const { slug } of list.body.models) {
      const { body } = await call(sandbox, 'GET', `/api/marketplace/models/${slug}`);
      assert.equal(body.slug, slug);
      for (const mode of Object.values<Record<string, unknown>>(body.modes)) {
        assert.equal((mode.input_schema as { type: string }).type, 'object');
        assert.equal((mode.params_schema as { type: string }).type, 'object');
      }
    }
  });

  it('identifies French', async () => {
    const french = await run(sandbox, {
      model: 'language-id',
      input: { text: 'Je ne sais pas où se trouve la bibliothèque municipale.' },
      params: { top_k: 2 },
    });
    assert.equal(french.status, 200);
    assert.equal(french.body.output.language, 'fra');
    assert.equal(french.body.output.labels.length, 2);
    assert.deepEqual(french.body.billing, { amount: '0.0010', currency: 'USD', unit: 'run', units: 1 });
  });

  it('recognises a negation', async () => {
    const { body } = await run(sandbox, { model: 'sentiment', input: { text: 'This is not good.' } });
    assert.equal(body.output.label, 'negative');
  });

  it('indexes images under a scope and finds them only there', async () => {
    const refs = [
      await upload(sandbox, disc(220, 20, 20)),
      await upload(sandbox, disc(20, 20, 220)),
      await upload(sandbox, disc(225, 30, 25)),
    ];
    const indexed = await run(sandbox, {
      model: 'image-similarity',
      mode: 'index',
      scope: 'discs',
      input: {
        images: refs.slice(0, 2).map((ref) => ({ media_ref: ref })),
        image_ids: ['red', 'blue'],
      },
      params: {},
    });
    assert.equal(indexed.status, 200);
    assert.equal(indexed.body.output.total_in_scope, 2);

    const search = (scope: string) =>
      run(sandbox, {
        model: 'image-similarity',
        mode: 'search',
        scope,
        input: { image: { media_ref: refs[2] } },
        params: {},
      });
    const found = await search('discs');
    assert.deepEqual(
      found.body.output.results.map(({ id }: { id: string }) => id),
      ['red', 'blue'],
    );
    assert.deepEqual((await search('elsewhere')).body.output.results, []);
    assert.equal((await sandbox.ledger()).indexed['image-similarity discs red'], 1);
  });

  it('charges every run and shows it in the activity', async () => {
    const before = await call(sandbox, 'GET', '/api/billing/wallet');
    const done = await run(sandbox, { model: 'sentiment', input: { text: 'Fine.' } });
    const wallet = await call(sandbox, 'GET', '/api/billing/wallet');
    assert.ok(Math.abs(before.body.balance - wallet.body.balance - 0.001) < 1e-9);
    const activity = await call(sandbox, 'GET', '/api/billing/activity?limit=1');
    assert.equal(activity.body.items[0].run_id, done.body.run_id);
  });

  it('refills its play money for the holder of its key only', async () => {
    assert.equal(await refillPlayMoney(sandbox.baseUrl, `${sandbox.apiKey}x`), false);
    const before = await call(sandbox, 'GET', '/api/billing/wallet');
    assert.ok(before.body.balance < 10);
    assert.equal(await refillPlayMoney(sandbox.baseUrl, sandbox.apiKey), true);
    const after = await call(sandbox, 'GET', '/api/billing/wallet');
    assert.equal(Number(after.body.balance), 10);
  });
});
