import assert from 'node:assert/strict';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { call, run, upload } from '../../support/sandboxCalls';

describe("the sandbox's models", () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await sandboxInProcess({ wallet: '100' });
  });
  after(() => sandbox.stop());

  it('run their own published examples unchanged', async () => {
    const list = await call(sandbox, 'GET', '/api/marketplace/models');
    let tried = 0;
    for (const { slug } of list.body.models) {
      if (slug === 'always-fails') continue;
      const { body } = await call(sandbox, 'GET', `/api/marketplace/models/${slug}`);
      for (const [mode, contract] of Object.entries<{ examples: { input: object; params: object }[] }>(
        body.modes,
      )) {
        assert.ok(contract.examples.length > 0, `${slug} ${mode} has no example`);
        for (const { input, params } of contract.examples) {
          const quick = slug === 'slow-echo' ? { seconds: 0.01 } : params;
          const done = await run(sandbox, { model: slug, mode, scope: 'examples', input, params: quick });
          const expected = slug === 'later-echo' ? 202 : 200;
          assert.equal(done.status, expected, `${slug} ${mode}: ${JSON.stringify(done.body)}`);
          tried += 1;
        }
      }
    }
    assert.ok(tried >= 15);
  });

  it('do not show or run an unpublished model', async () => {
    const list = await call(sandbox, 'GET', '/api/marketplace/models');
    assert.ok(!list.body.models.some(({ slug }: { slug: string }) => slug === 'unpublished-draft'));
    assert.equal((await call(sandbox, 'GET', '/api/marketplace/models/unpublished-draft')).status, 404);
    assert.equal((await run(sandbox, { model: 'unpublished-draft', input: {} })).status, 404);
  });

  it('accept an identifier in place of a slug', async () => {
    const done = await run(sandbox, {
      model: 'mdl_language_id',
      input: { text: 'Guten Morgen, meine Damen' },
    });
    assert.equal(done.body.output.language, 'deu');
  });

  it('finish an accepted run at the address in its response', async () => {
    const accepted = await run(sandbox, {
      model: 'later-echo',
      input: { text: 'hello' },
      params: { seconds: 0.05 },
    });
    assert.equal(accepted.status, 202);
    assert.equal(accepted.body.status, 'accepted');
    assert.equal(new URL(accepted.body.status_url).origin, sandbox.baseUrl);
    for (;;) {
      const { body } = await call(sandbox, 'GET', accepted.body.status_url);
      if (body.status === 'running') continue;
      assert.equal(body.status, 'succeeded');
      assert.equal(body.run_id, accepted.body.run_id);
      assert.deepEqual(body.output, { text: 'hello', waited_seconds: 0.05 });
      break;
    }
  });

  it('charge nothing for a run that fails upstream, and list it as failed', async () => {
    const before = await call(sandbox, 'GET', '/api/billing/wallet');
    const failed = await run(sandbox, { model: 'always-fails', input: {}, params: { status: 503 } });
    assert.equal(failed.status, 503);
    assert.equal(failed.body.error.code, 'upstream_failed');
    const after = await call(sandbox, 'GET', '/api/billing/wallet');
    assert.equal(after.body.balance, before.body.balance);
    const { body } = await call(sandbox, 'GET', '/api/billing/activity?limit=1');
    assert.equal(body.items[0].status, 'failed');
    assert.equal(body.items[0].amount, '0.0000');
  });

  it('find the text with the most words in common', async () => {
    const texts = [
      { id: 'a', text: 'The tram to the harbour leaves every ten minutes.' },
      { id: 'b', text: 'Bake the bread for forty minutes at high heat.' },
      { id: 'c', text: '港口的电车' },
    ];
    const index = await run(sandbox, {
      model: 'text-similarity',
      mode: 'index',
      scope: 'texts',
      input: { texts },
      params: {},
    });
    assert.deepEqual(index.body.output.ids, ['a', 'b', 'c']);
    assert.equal(index.body.billing.units, 3);
    const search = await run(sandbox, {
      model: 'text-similarity',
      mode: 'search',
      scope: 'texts',
      input: { text: 'harbour trams' },
      params: { top_k: 1, min_score: 0.05 },
    });
    assert.equal(search.body.output.results[0].id, 'a');
    assert.equal(search.body.output.results.length, 1);
  });

  it('measure a tone: half of full scale is -6 dB, its mean 3 dB less', async () => {
    const { body } = await run(sandbox, {
      model: 'audio-inspector',
      input: { audio: { media_ref: 'sample_tone' } },
    });
    assert.equal(body.output.duration_seconds, 0.5);
    assert.equal(body.output.channels, 1);
    assert.equal(body.output.sample_rate_hz, 16_000);
    assert.ok(Math.abs(body.output.peak_dbfs - -6) < 0.1);
    assert.ok(Math.abs(body.output.rms_dbfs - -9) < 0.1);
  });

  it('report why an audio file cannot be read', async () => {
    for (const bytes of ['RIFF\0\0\0\0WAVEfmt ', 'fLaC', 'OggS', 'no audio at all', 'ID3']) {
      const ref = await upload(sandbox, Buffer.from(bytes, 'latin1'), 'audio/wav', 'broken.wav');
      const { status, body } = await run(sandbox, {
        model: 'audio-inspector',
        input: { audio: { media_ref: ref } },
      });
      assert.equal(status, 400);
      assert.match(body.error.message, /^The audio broken\.wav cannot be read: \w/);
      assert.equal(body.error.details[0].path, '/input/audio');
    }
  });
});
