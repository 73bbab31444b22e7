import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { ExperimentInTerminal } from '../../support/experiments/inTerminal';

describe('The reports of an experiment with unfinished runs', () => {
  let own: ExperimentInTerminal;
  before(async () => {
    own = await ExperimentInTerminal.start(({ text }) => {
      if (text === 'fails') return { status: 422, body: { error: { message: 'too short' } } };
      if (text === 'lost') return { status: 502, body: 'bad gateway' };
      const cost = text === 'free' ? {} : { cost: { amount: '0.01', currency: 'USD' } };
      return { body: { status: 'succeeded', output: { label: 'cat' }, ...cost } };
    });
    await own.putExperiment({ name: 'Cats & <dogs>', description: 'Which of them' });
  });
  after(() => own?.close());

  const call = (maxCost: string, ...words: string[]) => own.call('--max-cost', maxCost, ...words);

  it('say how many failed, are unconfirmed and were not run, in the terminal and in each file', async () => {
    await own.putRows(['good', 'free', 'fails', 'lost']);
    const first = await call('100');
    assert.equal(first.code, 3, first.err);
    assert.match(first.err, /^No published price: one\.$/m);
    assert.match(first.out, /^2 of 4 runs finished\. Results: .*try\.results\.jsonl$/m);
    assert.match(first.out, /^1 failed\.$/m);
    assert.match(first.err, /^1 unconfirmed: .*--accept-unconfirmed\.\n {2}.*502/m);
    assert.doesNotMatch(first.out + first.err, /not run|left out|by address|NaN|judged/);

    await own.putRows(['good', 'free', 'fails', 'lost', 'more', 'most']);
    const files = '--json a.json --junit a.xml --report a.html --fail-below accuracy=0.9'.split(' ');
    const { code, err } = await call('0', '--accept-unconfirmed', ...files);
    assert.equal(code, 3, err);
    assert.match(err, /^1 unconfirmed, counted as failed: they may have been charged\.$/m);
    assert.match(err, /^2 not run\. Start again to continue\.$/m);
    assert.equal(own.service.executedRuns, 4);

    const { columns, checks, ...head } = JSON.parse(await own.read('a.json'));
    assert.deepEqual(head, {
      ...{ version: 1, experiment: 'try.experiment.json', results: 'try.results.jsonl', rows: 6 },
      ...{ baseline: columns[0].name, agreements: [] },
    });
    const [{ metrics, median_ms: median, percentile95_ms: slowest, ...column }, ...others] = columns;
    assert.deepEqual(others, []);
    assert.deepEqual(column, {
      ...{ name: column.name, variation: {}, without_cost: 2, timed: 2 },
      runs: { finished: 2, failed: 1, unconfirmed: 1, missing: 2 },
      cost: [{ amount: '0.01', currency: 'USD' }],
      expected_labels: { cat: 3 },
    });
    assert.ok(median >= 0 && slowest >= median, `${median} ${slowest}`);
    const { value, n, of, failed, not_expected: blank } = metrics.accuracy;
    assert.deepEqual({ n, of, failed, blank }, { n: 3, of: 6, failed: 1, blank: 0 });
    assert.equal(value, 2 / 3);
    assert.deepEqual(
      checks.map(({ passed }: { passed: boolean }) => passed),
      [false],
    );

    const xml = await own.read('a.xml');
    assert.match(xml, /tests="2" failures="1" errors="1"/);
    assert.match(xml, /<error message="1 failed, 1 unconfirmed, 2 not run">/);
    assert.match(xml, /file="try\.experiment\.json"/);
    const html = await own.read('a.html');
    assert.match(html, /<h1>Cats &(?:amp|#38); &(?:lt|#60);dogs&(?:gt|#62);<\/h1>\n<p>Which of them<\/p>/);
    assert.match(html, /<p class="about">6 rows/);
  });

  it('count unconfirmed runs as failed on request, and end with 1', async () => {
    await own.putRows(['good', 'free', 'fails', 'lost']);
    const { code, err } = await call('0', '--accept-unconfirmed', '--junit', 'b.xml');
    assert.equal(code, 1, err);
    assert.match(
      await own.read('b.xml'),
      /tests="1" failures="0" errors="1".*message="1 failed, 1 unconfirmed"/,
    );
    await own.putRows(['good', 'fails']);
    assert.equal((await call('0', '--junit', 'c.xml', '--json', 'c.json')).code, 1);
    const { rows, columns } = JSON.parse(await own.read('c.json'));
    assert.deepEqual([rows, columns[0].metrics.accuracy.of], [2, 2], 'without inputs that are gone');
    assert.match(await own.read('c.xml'), /tests="1" failures="1" errors="0".*message="1 failed"/);
    await own.putRows(['good']);
    const good = await call('0', '--junit', 'd.xml');
    assert.equal(good.code, 0);
    assert.doesNotMatch(good.out, /failed\./);
    assert.match(await own.read('d.xml'), /tests="1" failures="0" errors="0"/);
  });
});

describe('A results file of an experiment that is a link or a folder', () => {
  let own: ExperimentInTerminal;
  before(async () => {
    own = await ExperimentInTerminal.start(() => ({ body: { status: 'succeeded', output: 'cat' } }));
    await own.putExperiment({});
    await own.putRows(['good']);
  });
  after(() => own?.close());

  for (const [kind, make] of [
    ['link', (at: string) => symlink('elsewhere.jsonl', at)],
    ['folder', (at: string) => mkdir(at)],
  ] as const)
    it(`ends the call with 2, and sends nothing: a ${kind}`, async () => {
      const name = `${kind}.results.jsonl`;
      await make(path.join(own.folder, name));
      const { code, err } = await own.call('--max-cost', '5', '--results', name);
      assert.deepEqual([code, own.service.executedRuns], [2, 0], err);
      assert.match(err, new RegExp(`“${name}” is not a file`));
    });
});
