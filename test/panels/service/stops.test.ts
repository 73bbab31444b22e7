import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { smallService } from '../../support/smallService';
import { usePanels } from '../usePanels';

const models = ['Alpha', 'Beta', 'Gamma', 'Delta'] as const;

describe('Runs that wait in several panels', () => {
  const suite = usePanels();
  let service: FaultProxy;
  /** The response to runs. */
  let response: StubResponse = {};
  const runs = () => service.seen.filter(({ method, path }) => method === 'POST' && path === '/api/runs');

  before(async () => {
    service = await startFaultProxy({
      behind: (request) => (request.path === '/api/runs' ? response : smallService(...models)(request)),
    });
  });
  after(() => service?.close());

  it('open side by side', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'Local', baseUrl: service.url, apiKey: 'mb-key' });
    for (const model of models) {
      const row = await panels.row('Catalog', model);
      panels.click(row);
      await panels.runPanel(model);
      // The second click keeps the panel of the first one.
      panels.click(row);
    }
  });

  for (const [status, words, next] of [
    [402, /balance of this workspace is insufficient/, 'Show Usage'],
    [403, /no permission/, 'Set API Key…'],
    [401, /does not accept the API key/, 'Set API Key…'],
  ] as const)
    it(`stop at once at a ${status}, and show the next step`, async () => {
      const pages = await Promise.all(models.map((name) => suite.panels.page(name)));
      // Again for those whose second has ended before all of them wait.
      response = { status: 429, headers: { 'retry-after': '1' } };
      const run = (panel: Page) => panel.getByRole('button', { name: 'Run', exact: true }).click();
      const waits = (panel: Page) =>
        panel
          .getByText(/Waiting until \d/)
          .first()
          .waitFor();
      await run(pages[0]!);
      await waits(pages[0]!);
      for (const panel of pages.slice(1)) await run(panel);
      await Promise.all(pages.slice(1).map(waits));
      response = { status, body: { error: 'no' } };
      const before = runs().length;
      for (const panel of pages) {
        const result = panel.getByRole('region', { name: 'Result' });
        await result.getByText(words).first().waitFor();
        await result.getByRole('button', { name: next }).first().waitFor();
      }
      // After the limit, one or two were let through together and rejected. The others were not sent.
      const sent = runs().length - before;
      assert.ok(sent === 1 || sent === 2, `${sent} of ${models.length} runs were sent`);
    });
});

describe('A file of an unknown type', () => {
  const suite = usePanels();
  let service: FaultProxy;
  const inits = () =>
    service.seen
      .filter(({ path }) => path === '/api/media/upload/init')
      .map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);

  before(async () => {
    service = await startFaultProxy({
      behind: (request) => {
        const { path } = request;
        if (path === '/api/media/upload/init')
          return { body: { upload_id: 'u1', upload_url: `${service.url}/bytes/1` } };
        if (path === '/api/media/upload/complete') return { body: { media_ref: `media_${inits().length}` } };
        if (path.startsWith('/bytes/')) return {};
        if (path === '/api/runs') return { body: { output: 'done' } };
        const file = {
          type: 'object',
          title: 'Document',
          properties: { media_ref: { type: 'string' }, filename: { type: 'string' } },
          required: ['media_ref'],
        };
        if (path.startsWith('/api/marketplace/models/'))
          return {
            body: {
              slug: 'reader',
              modes: ['execute'],
              input_schema: { type: 'object', properties: { document: file }, required: ['document'] },
            },
          };
        return smallService('Reader')(request);
      },
    });
  });
  after(() => service?.close());

  const attach = async (name: string) => {
    const { panels } = suite;
    const panel = await panels.runPanel('Reader');
    const remove = panel.frame.getByRole('button', { name: /^Remove/ });
    if (await remove.first().isVisible()) await remove.first().click();
    const file = { name, mimeType: '', bytes: Buffer.from(`bytes of ${name}`) };
    await panel.dropOn(panel.frame.locator('.drop-zone').first(), file);
    return panel;
  };

  it('leads to one question, whose answer is sent and remembered for the ending', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'Local', baseUrl: service.url, apiKey: 'mb-key' });
    panels.click(await panels.row('Catalog', 'Reader'));
    const panel = await attach('measured.xq7');
    await panel.button('Run').click();
    const question = await panels.question(/Which media type is “measured\.xq7”\?/);
    assert.deepEqual(question.choices, ['Image', 'Audio', 'Video', 'File']);
    question.pick('Audio');
    await panel.result
      .getByText(/Finished in/)
      .last()
      .waitFor();
    assert.deepEqual(inits(), [
      {
        filename: 'measured.xq7',
        content_type: 'application/octet-stream',
        media_type: 'audio',
        size_bytes: 'bytes of measured.xq7'.length,
      },
    ]);
    const again = await attach('again.xq7');
    assert.match(await again.run(), /done/);
    assert.equal(inits().length, 2);
    assert.equal(inits()[1]?.media_type, 'audio');
  });

  it('stays unsent and unpaid when the question is closed', async () => {
    const { panels } = suite;
    const panel = await attach('other.xq8');
    const before = { inits: inits().length, runs: service.executedRuns };
    await panel.button('Run').click();
    (await panels.question(/other\.xq8/)).cancel();
    await panel.frame
      .getByText(/No media type was chosen for .*, so it was not uploaded/)
      .first()
      .waitFor();
    assert.deepEqual({ inits: inits().length, runs: service.executedRuns }, before);
  });

  it('counts as a file, not a video, when it is TypeScript', async () => {
    const { panels } = suite;
    const panel = await attach('program.ts');
    const before = inits().length;
    await panel.button('Run').click();
    await panels.answer(/program\.ts/, 'File');
    await panels.until(() => !(inits().length === before), 'The upload');
    assert.equal(inits()[before]?.media_type, 'file');
    assert.notEqual(inits()[before]?.content_type, 'video/mp2t');
  });
});
