import assert from 'node:assert/strict';
import { callHere } from '../../support/commandLine';
import { ExperimentInTerminal } from '../../support/experiments/inTerminal';

describe('The recorded results of an experiment, in a terminal', () => {
  let own: ExperimentInTerminal;
  const judge = { name: 'good', judge: { model: 'judge', input: { text: '{{output}}' } }, at: '/label' };

  beforeEach(async () => {
    own = await ExperimentInTerminal.start(({ model, text }) => ({
      body: {
        ...{ status: 'succeeded', cost: { amount: '0.01', currency: 'USD' } },
        output: { label: model !== 'judge' && Number(text) < 4 ? 'dog' : 'cat' },
      },
    }));
    await own.putRows([...Array(20).keys()]);
    await own.putExperiment({
      vary: { '/model': ['one', 'two'] },
      metrics: ['accuracy', 'macro_f1', { ...judge, choices: { cat: 1, dog: 0 } }],
    });
  });
  afterEach(() => own.close());

  /** Without an address, a key and a state. */
  const offline = (...words: string[]) =>
    callHere(['experiment', 'try.experiment.json', ...words], { cwd: own.folder });

  it('give the figures, gates and reports of the finished call without service and key', async () => {
    const online = await own.call('--fail-below', 'accuracy=0.9', '--json', 'online.json');
    assert.equal(online.code, 1, online.err);
    const sent = own.service.executedRuns;
    const reports = ['--json', 'offline.json', '--junit', 'offline.xml', '--report', 'offline.html'];
    for (const words of [[], ['--figures']]) {
      const { code, out, err } = await offline(...words, '--fail-below', 'accuracy=0.9', ...reports);
      assert.equal(code, 1, err);
      assert.match(err, /accuracy >= 0\.9 is not met/);
      assert.equal(out, online.out.slice(-out.length), 'the same figures');
      assert.deepEqual(JSON.parse(await own.read('offline.json')), JSON.parse(await own.read('online.json')));
      assert.match(await own.read('offline.html'), /0\.800/);
      assert.match(await own.read('offline.xml'), /<failure/);
    }
    assert.equal(own.service.executedRuns, sent);
  });

  it('give figures for each value of a column, and name one that the inputs lack', async () => {
    await own.call();
    await own.put(
      'rows.csv',
      `text,label,source\n${[...Array(20).keys()].map((text) => `${text},CAT,${text < 8 ? 'web' : 'mail'}\n`).join('')}`,
    );
    const { out, code } = await offline('--figures', '--group-by', 'source', '--json', 'a.json');
    assert.equal(code, 0, out);
    assert.match(out, /· mail\n {2}one {2}0\.000 .*\n {2}two .*\n· web\n {2}one {2}0\.000/);
    assert.match(out, /^one: accuracy: 16 more would be right but for case$/m);
    const [{ groups, metrics }] = JSON.parse(await own.read('a.json')).columns;
    const counts = groups.map(({ name, n }: { name: string; n: number }) => `${name} ${n}`);
    assert.deepEqual(counts, ['mail 12', 'web 8']);
    assert.deepEqual(metrics.accuracy.other_spelling, { rows: 16, ignored: ['case'] });
    const byLabel = await offline('--figures', '--group-by', 'label');
    assert.match(byLabel.out, /· CAT\n/);
    const wrong = await offline('--figures', '--group-by', 'nope');
    assert.deepEqual([wrong.code, /no column “nope”/.test(wrong.err)], [2, true]);
  });

  it('ask for the service, and for a budget, where a run has no result', async () => {
    await own.call();
    await own.putRows([...Array(21).keys()]);
    const { code, err } = await offline();
    assert.deepEqual([code, err.split('\n')[0]], [2, '“experiment” needs --base-url.']);
    const noBudget = await callHere(['experiment', 'try.experiment.json', '--base-url', own.service.url], {
      cwd: own.folder,
      apiKey: 'key',
    });
    assert.deepEqual([noBudget.code, /needs --max-cost/.test(noBudget.err)], [2, true]);
    const partly = await offline('--figures');
    assert.equal(partly.code, 3, partly.err);
    assert.match(partly.out, /^42 of 44 runs finished/);
    assert.match(partly.err, /2 not run/);
    assert.match(
      partly.out,
      /accuracy\n {2}one {2}0\.800 {2}may be best .*\n {2}two {2}0\.800 {2}may be best /,
      'none is beaten',
    );
  });
});
