import assert from 'node:assert/strict';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/faultProxy';
import { smallService } from '../support/smallService';
import { usePanels } from './usePanels';

const SIGN_IN: Fault = { kind: 'response', response: { status: 200, body: '<h1>Sign in</h1>' } };

describe('Connecting to a service', () => {
  const suite = usePanels();
  /** One a test: environments of earlier tests may still ask theirs. */
  let service: FaultProxy;
  const services: FaultProxy[] = [];
  let fault: Fault | undefined;
  beforeEach(async () => {
    service = await startFaultProxy({
      behind: (request) =>
        request.headers['x-api-key'] === 'right-key'
          ? smallService('Echo')(request)
          : { status: 401, body: { message: 'Unknown key.' } },
      fault: () => fault,
    });
    services.push(service);
  });
  after(() => Promise.all(services.map((one) => one.close())));
  afterEach(() => {
    fault = undefined;
    for (const question of suite.panels.window.questions.open.slice()) question.cancel();
  });
  const begin = async (name: string) => {
    await suite.panels.runCommand('Model Bench: Connect to a Service…');
    await suite.panels.enter(/Name/, name);
    return suite.panels.question(/Base URL/);
  };
  const validation = (text: RegExp) => {
    const { panels } = suite;
    return panels.until(
      () => panels.window.questions.open.find((one) => text.test(one.validation ?? '')),
      `The problem ${text}`,
    );
  };

  it('says at the address that it leads nowhere, and keeps the texts on the way back', async () => {
    const { panels } = suite;
    const address = await begin('Bench');
    await address.enter('http://127.0.0.1:9');
    const box = await validation(/could not be reached|refused|127\.0\.0\.1:9/);
    assert.equal(box.value, 'http://127.0.0.1:9');
    box.back?.();
    const name = await panels.question(/Name/);
    assert.equal(name.value, 'Bench');
    await name.enter('Bench');
    assert.equal((await panels.question(/Base URL/)).value, 'http://127.0.0.1:9');
    await panels.enter(/Base URL/, service.url);
    await panels.question(/API Key/);
  });

  it('asks each text once when the address was wrong at first', async () => {
    const { panels } = suite;
    const { questions } = panels.window;
    const asked = new Set(questions.open);
    const listening = questions.changed.event(() => {
      for (const question of questions.open) asked.add(question);
    });
    const address = await begin('Corrected');
    await address.enter('http://127.0.0.1:9');
    const box = await validation(/could not be reached|refused|127\.0\.0\.1:9/);
    await box.enter(service.url);
    await panels.enter(/API Key/, 'right-key');
    await panels.statusItem('modelBench.wallet', 'Corrected');
    listening.dispose();
    assert.equal(asked.size, 3, 'name, address and key');
  });

  it('keeps the key while the address before it is corrected', async () => {
    const { panels } = suite;
    fault = SIGN_IN;
    const address = await begin('Late');
    await address.enter(service.url);
    await validation(/Press Enter again/);
    await address.enter(service.url);
    const key = await panels.question(/API Key/);
    await key.enter('right-key');
    await validation(/not a list of models/);
    key.back?.();
    const again = await panels.question(/Base URL/);
    assert.equal(again.value, service.url);
    fault = undefined;
    await again.enter(service.url);
    const kept = await panels.question(/API Key/);
    assert.equal(kept.value, 'right-key');
    await kept.enter(kept.value);
    await panels.statusItem('modelBench.wallet', 'Late');
  });

  it('takes the key of the terminal when the user asks for it', async () => {
    const { panels } = suite;
    process.env.MODEL_BENCH_API_KEY = 'right-key';
    try {
      const address = await begin('Container');
      await address.enter(service.url);
      const key = await panels.question(/API Key/);
      assert.equal(key.value, '');
      key.press?.(/MODEL_BENCH_API_KEY/);
      await panels.statusItem('modelBench.wallet', 'Container');
    } finally {
      delete process.env.MODEL_BENCH_API_KEY;
    }
  });

  it('asks the address without a key, and tells a refused key at the key', async () => {
    const { panels } = suite;
    const address = await begin('Keys');
    await address.enter(service.url);
    const key = await panels.question(/API Key/);
    assert.deepEqual(
      service.seen.map(({ headers }) => headers['x-api-key']),
      [undefined],
    );
    await key.enter('wrong-key');
    await validation(/does not accept the API key.*Unknown key/);
    await key.enter('right-key');
    await panels.statusItem('modelBench.wallet', 'Keys');
    await panels.row('Catalog', 'Echo');
    assert.deepEqual(panels.window.notifications, []);
  });

  it('takes a doubtful address and key when the user presses Enter again', async () => {
    const { panels } = suite;
    fault = SIGN_IN;
    const address = await begin('Doubtful');
    await address.enter(service.url);
    await validation(/not a list of models.*Press Enter again to use it anyway/);
    await address.enter(service.url);
    const key = await panels.question(/API Key/);
    await key.enter('right-key');
    await validation(/not a list of models.*Press Enter again/);
    await key.enter('right-key');
    await panels.statusItem('modelBench.wallet', 'Doubtful');
  });
});

describe('A key that may only run models', () => {
  const suite = usePanels();
  let service: FaultProxy;
  before(async () => {
    service = await startFaultProxy({
      behind: ({ path }) =>
        path === '/api/runs'
          ? { body: { run_id: 'r1', status: 'succeeded', output: 'as typed' } }
          : { status: 403, body: { detail: 'This key may run models only.' } },
    });
  });
  after(() => service.close());

  it('connects, is said to read no catalog, and runs a model whose slug is typed', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'Least', baseUrl: service.url, apiKey: 'run-key' });
    const key = await panels.question(/API Key/);
    const words = /This API key cannot read the catalog\. Runs can be sent\./;
    await panels.until(() => words.test(key.validation ?? ''), 'The sentence in the key’s box');
    await key.enter('run-key');
    await panels.statusItem('modelBench.wallet', /Least: balance unknown/);
    panels.click(await panels.row('Catalog', words));
    const models = await panels.question(words);
    await models.enter('team/echo');
    models.pick('team/echo');
    const panel = await panels.runPanel('team/echo');
    await panel.frame.getByText('This API key cannot read the catalog. Enter JSON').waitFor();
    await panel.button('Run').click();
    await panel.result.getByText('as typed').first().waitFor();
    assert.equal(service.executedRuns, 1);
    assert.deepEqual(panels.window.notifications, []);
  });
});

describe('The memory that goes to other machines', () => {
  const suite = usePanels();

  it('takes along the arrangement and the favourites of services that other machines reach', async () => {
    const { panels } = suite;
    const named = { Team: 'https://models.example.com', Local: 'http://127.0.0.1:1' };
    panels.changeSettings({ 'modelBench.environments': named });
    await panels.until(() => (panels.kept.synced?.length ?? 0) > 1, 'the names of the environments');
    assert.deepEqual(panels.kept.synced, [
      'modelBench.catalogArrangement',
      'models.favourites.https://models.example.com',
    ]);
  });
});

describe('The sandbox without its key', () => {
  const suite = usePanels();

  it('starts by every way to its key', async () => {
    const { panels } = suite;
    panels.changeSettings({ 'modelBench.environments': { Sandbox: 'http://127.0.0.1:1' } });
    await panels.runCommand('Model Bench: Switch Environment…');
    await panels.answer(/its own key/, 'Sandbox');
    await panels.row('Catalog', 'Sentiment');
    assert.deepEqual(panels.window.questions.open, []);
  });
});
