import assert from 'node:assert/strict';
import { createServiceClient } from '../../../src/service/createClient';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { PNG_1X1, sourceOf } from '../../support/uploadSource';

describe('the service client against the built-in sandbox', () => {
  let sandbox: TestSandbox;
  const client = () =>
    createServiceClient({
      environment: 'sandbox',
      baseUrl: sandbox.baseUrl,
      apiKey: async () => sandbox.apiKey,
      network: {},
      log: { debug() {}, info() {}, warn() {} },
    });

  before(async () => {
    sandbox = await sandboxInProcess();
  });
  after(() => sandbox.stop());

  it('lists the catalog and reads each model with its modes and schemas', async () => {
    const service = client();
    const slugs: string[] = [];
    for await (const page of service.listModels()) {
      assert.equal(page.unrecognised, undefined);
      slugs.push(...page.models.map((model) => model.slug));
    }
    assert.ok(slugs.includes('image-similarity'), slugs.join());
    const model = await service.getModel('image-similarity');
    assert.deepEqual(
      model.modes.map(({ name, vectorBacked, input }) => [name, vectorBacked, input.origin]),
      [
        ['execute', false, 'declared'],
        ['index', true, 'declared'],
        ['search', true, 'declared'],
      ],
    );
    assert.match(model.price?.money?.amount ?? '', /^\d+(\.\d+)?$/);
    service.close();
  });

  it('uploads an image, indexes it, finds it, and reads the wallet and the run’s cost', async () => {
    const service = client();
    const { mediaRef } = await service.upload(sourceOf('a.png', 'image/png', PNG_1X1));
    const scope = 'playground';
    const media = { media_ref: mediaRef, filename: 'a.png' };
    const indexed = await service.run({
      model: 'image-similarity',
      mode: 'index',
      scope,
      input: { images: [media], image_ids: ['a.png'] },
      params: {},
    });
    assert.equal(indexed.state, 'finished');
    assert.ok(indexed.recognised);
    assert.match(indexed.cost?.amount ?? '', /^\d+(\.\d+)?$/);
    const found = await service.run({
      model: 'image-similarity',
      mode: 'search',
      scope,
      input: { image: media },
      params: {},
    });
    assert.match(JSON.stringify(found.output), /a\.png/);
    const wallet = await service.wallet();
    assert.match(wallet.wallet?.balance.amount ?? '', /^\d+(\.\d+)?$/);
    for (const response of [
      await service.usageSummary(),
      await service.usageTimeseries(),
      await service.activity(),
    ])
      assert.equal(response.status, 200);
    assert.equal((await sandbox.ledger()).keysOnUploadPort, 0);
    service.close();
  });
});
