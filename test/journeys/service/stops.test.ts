import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { connect } from '../../support/connect';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { useVSCode } from '../../support/journey';
import { RunPanel } from '../../support/runPanel';

const models = ['Alpha', 'Beta', 'Gamma', 'Delta'] as const;

describe('Runs that wait in several panels', () => {
  const journey = useVSCode({ size: { width: 2200, height: 900 } });
  let service: FaultProxy;
  /** The response to runs. */
  let response: StubResponse = {};
  const runs = () => service.seen.filter(({ method, path }) => method === 'POST' && path === '/api/runs');

  before(async () => {
    service = await startFaultProxy({
      behind: ({ path }) => {
        if (path === '/api/runs') return response;
        if (path.startsWith('/api/marketplace/models/'))
          return {
            body: {
              slug: path.split('/').at(-1),
              modes: ['execute'],
              input_schema: { type: 'object', properties: { text: { type: 'string' } } },
            },
          };
        if (path.startsWith('/api/marketplace'))
          return { body: models.map((name) => ({ slug: name.toLowerCase(), name })) };
        return { body: { balance: '5.00', currency: 'USD' } };
      },
    });
  });
  after(() => service?.close());

  it('open side by side', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Local', baseUrl: service.url, apiKey: 'mb-key' });
    for (const [at, model] of models.entries()) {
      if (at > 0) await vscode.runCommand('View: Split Editor Right');
      await vscode.treeRow('Catalog', model).click();
      await RunPanel.in(vscode, model);
    }
  });

  for (const [status, words, next] of [
    [402, /balance of this workspace is insufficient/, 'Show Usage'],
    [403, /no permission/, 'Set API Key…'],
    [401, /does not accept the API key/, 'Set API Key…'],
  ] as const)
    it(`all stop at once at a ${status}, with the way on`, async () => {
      const { vscode } = journey;
      const panels = await Promise.all(models.map((name) => vscode.webview(name)));
      // Again for one of them where a click in each panel takes longer than that, on a busy machine.
      response = { status: 429, headers: { 'retry-after': '5' } };
      const run = (panel: Frame) => panel.getByRole('button', { name: 'Run', exact: true }).click();
      const waits = (panel: Frame) =>
        panel
          .getByText(/Waiting until \d/)
          .first()
          .waitFor();
      await run(panels[0]!);
      await waits(panels[0]!);
      for (const panel of panels.slice(1)) await run(panel);
      await Promise.all(panels.slice(1).map(waits));
      response = { status, body: { error: 'no' } };
      const before = runs().length;
      for (const panel of panels) {
        const result = panel.getByRole('region', { name: 'Result' });
        await result.getByText(words).first().waitFor();
        await result.getByRole('button', { name: next }).first().waitFor();
      }
      await vscode.screenshot(`journeys/service/stopped-${status}`);
      // After the limit, one or two were let through together and rejected. The others were not sent.
      const sent = runs().length - before;
      assert.ok(sent === 1 || sent === 2, `${sent} of ${models.length} runs were sent`);
    });
});

describe('A file of an unknown type', () => {
  const journey = useVSCode();
  let service: FaultProxy;
  const inits = () =>
    service.seen
      .filter(({ path }) => path === '/api/media/upload/init')
      .map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);

  before(async () => {
    service = await startFaultProxy({
      behind: ({ path }) => {
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
        if (path.startsWith('/api/marketplace')) return { body: [{ slug: 'reader', name: 'Reader' }] };
        return { body: { balance: '5.00', currency: 'USD' } };
      },
    });
  });
  after(() => service?.close());

  const attach = async (name: string) => {
    const { vscode } = journey;
    const panel = await RunPanel.in(vscode, 'Reader');
    const remove = panel.frame.getByRole('button', { name: /^Remove/ });
    if (await remove.first().isVisible()) await remove.first().click();
    const file = { name, mimeType: '', bytes: Buffer.from(`bytes of ${name}`) };
    await panel.dropOn(panel.frame.locator('.drop-zone').first(), file);
    return panel;
  };

  it('leads to one question, whose answer is sent and remembered for the ending', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Local', baseUrl: service.url, apiKey: 'mb-key' });
    await vscode.treeRow('Catalog', 'Reader').click();
    const panel = await attach('measured.xq7');
    await panel.button('Run').click();
    await vscode.expectQuickInput(/Which media type is “measured\.xq7”\?/);
    assert.deepEqual(await vscode.quickPickLabels(), ['Image', 'Audio', 'Video', 'File']);
    await vscode.screenshot('journeys/service/media-type');
    await vscode.pick('Audio');
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
    const { vscode } = journey;
    const panel = await attach('other.xq8');
    const before = { inits: inits().length, runs: service.executedRuns };
    await panel.button('Run').click();
    await vscode.expectQuickInput(/other\.xq8/);
    await vscode.page.keyboard.press('Escape');
    await panel.frame
      .getByText(/No media type was chosen for .*, so it was not uploaded/)
      .first()
      .waitFor();
    await vscode.screenshot('journeys/service/media-type-not-chosen');
    assert.deepEqual({ inits: inits().length, runs: service.executedRuns }, before);
  });

  it('counts as a file, not a video, when it is TypeScript', async () => {
    const { vscode } = journey;
    const panel = await attach('program.ts');
    const before = inits().length;
    await panel.button('Run').click();
    await vscode.pick('File', /program\.ts/);
    while (inits().length === before) await vscode.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(inits()[before]?.media_type, 'file');
    assert.notEqual(inits()[before]?.content_type, 'video/mp2t');
  });
});
