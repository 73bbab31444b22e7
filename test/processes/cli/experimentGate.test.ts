import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ExperimentInTerminal } from '../../support/experiments/inTerminal';

const ROWS = 20;

describe('The gate of an experiment in a terminal', () => {
  let own: ExperimentInTerminal;
  /** Rows of which the model returns a wrong label, and those it fails for, by their number. */
  let wrong: (row: number, model: string) => boolean;
  let fails: (row: number) => boolean;

  beforeEach(async () => {
    [wrong, fails] = [() => false, () => false];
    own = await ExperimentInTerminal.start(({ model, text }) => {
      const row = Number(text);
      if (fails(row)) return { status: 422, body: { error: { message: 'too short' } } };
      const label = wrong(row, model) ? 'dog' : 'cat';
      return { body: { status: 'succeeded', output: { label }, cost: { amount: '0.01', currency: 'USD' } } };
    });
    await own.putRows([...Array(ROWS).keys()]);
  });
  afterEach(() => own.close());

  const put = (more: object = {}) => own.putExperiment({ metrics: ['accuracy', 'edit_distance'], ...more });
  const two = { vary: { '/model': ['one', 'two'] } };

  const git = (...words: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: own.folder,
    });

  it('prints figures below one another, in plain text', async () => {
    wrong = (row, model) => model === 'two' && row < 8;
    await put(two);
    const { code, out, err } = await own.call();
    assert.equal(code, 0, err);
    const lines = out.split('\n');
    const at = lines.indexOf('accuracy');
    assert.match(lines[at + 1]!, /^ {2}one {2}1\.000 {2}best {2}[\d.]+ to 1\.000 {2}n 20$/);
    assert.match(
      lines[at + 2]!,
      /^ {2}two {2}0\.600 {8}[\d.]+ to [\d.]+ {2}n 20 {2}▼ accuracy −0\.400 \(.*\), 20 rows: worse \(p = [\d.]+.*\)$/,
    );
    assert.equal(lines[at + 1]!.indexOf('n 20'), lines[at + 2]!.indexOf('n 20'), 'aligned');
    assert.match(out, /^failed\n {2}one {2}0\n {2}two {2}0$/m);
    assert.match(out, /^cost\n {2}one {2}\$0\.20\n {2}two {2}\$0\.20$/m);
    assert.ok(!out.includes('\u001b'), 'no escape sequences');
  });

  it('ends with 1 and says why when a column misses a threshold of the call or of the file', async () => {
    wrong = (row) => row < 3;
    await put();
    const met = await own.call('--fail-below', 'accuracy=0.85', '--fail-above', 'edit_distance=1');
    assert.equal(met.code, 0, met.err);
    const missed = await own.call('--fail-below', 'accuracy=0.9');
    assert.equal(missed.code, 1);
    assert.match(missed.err, /accuracy >= 0\.9 is not met\. accuracy 0\.850 \(.* to .*\), 20 rows/);
    await put({ thresholds: { accuracy: '> 0.85', edit_distance: '<= 1' } });
    const ofFile = await own.call();
    assert.deepEqual([ofFile.code, ofFile.err.match(/is not met/g)?.length], [1, 1], ofFile.err);
    assert.equal(own.service.executedRuns, ROWS, 'free on what is recorded');
  });

  it('decides by the interval, by the number of rows and for chosen columns where it is asked to', async () => {
    wrong = (row, model) => model === 'two' && row < 8;
    await put({ vary: { '/model': ['one', 'two'] }, thresholds: { 'accuracy of /model=one': '>= 0.9' } });
    const chosen = await own.call('--junit', 'gate.xml');
    assert.equal(chosen.code, 0, chosen.err);
    const xml = await own.read('gate.xml');
    assert.match(
      xml,
      /<testcase name="accuracy &gt;= 0\.9" classname="one"[^>]*><properties><property name="value" value="1"\/><property name="low" value="0\.8[^"]*"\/><property name="high" value="1"\/><property name="n" value="20"\/><\/properties><system-out>accuracy 1\.000 \(0\.839 to 1\.000\), 20 rows<\/system-out>/,
    );
    assert.doesNotMatch(xml, /accuracy &gt;= 0\.9" classname="two"/);
    // The figure is 1.000, but its interval begins at 0.839.
    const interval = await own.call('--fail-below', 'accuracy of /model=one=0.9', '--by-interval');
    assert.equal(interval.code, 1, interval.out);
    assert.match(interval.err, /one: accuracy >= 0\.9 by its interval is not met\. accuracy 1\.000 \(0\.839/);
    const few = await own.call('--fail-below', 'accuracy of /model=one=0.5', '--least-rows=21');
    assert.match(few.err, /one: accuracy >= 0\.5, at least 21 rows is not met\. .*20 rows/);
    await put({ thresholds: { accuracy: { value: '>= 0.8', interval: true, rows: 20 } } });
    assert.equal((await own.call()).code, 0);
    await put({ thresholds: { 'accuracy of /model=three': '>= 0' } });
    const none = await own.call();
    assert.deepEqual([none.code, /\/model=three: .*There is no such column/.test(none.err)], [1, true]);
  });

  it('fails without measured results, and returns 3 while runs are unconfirmed', async () => {
    await put({ expected: { column: 'label', at: '/typo' } });
    const unmeasured = await own.call('--fail-below', 'accuracy=0');
    assert.equal(unmeasured.code, 1);
    assert.match(unmeasured.err, /accuracy: not measured/);
    await put();
    // Another store: the results of paid runs are used in any results file.
    const others = ['--results', 'part.jsonl', '--state', path.join(own.folder, 'other')];
    const partly = await own.call('--fail-below', 'accuracy=0', ...others, '--max-cost', '0');
    assert.equal(partly.code, 3, partly.out);
  });

  it('sends nothing where a gate could never be checked', async () => {
    await put();
    await symlink('rows.csv', path.join(own.folder, 'link.xml'));
    await own.put('empty.jsonl', '');
    const calls: readonly [string[], RegExp][] = [
      [
        ['--fail-below', 'macro_f1=1'],
        /“macro_f1” is not measured\. The experiment measures: accuracy, edit_distance/,
      ],
      [['--fail-below', 'edit_distance=1'], /use --fail-above/],
      [['--fail-above', 'accuracy=1'], /use --fail-below/],
      [['--fail-if-worse-than', 'empty.jsonl'], /There are no results in “empty\.jsonl”/],
      [['--fail-if-worse-than', 'nothing'], /is no results file, and no commit/],
      [['--fail-if-worse-than', '--output=x'], /no commit|argument/],
      [['--junit', 'link.xml'], /cannot be written/],
    ];
    for (const [words, wanted] of calls) {
      const { code, err } = await own.call(...words);
      assert.equal(code, 2, words.join(' '));
      assert.match(err, wanted);
    }
    await put({ metrics: ['accuracy'], thresholds: { macro_f1: '> 1' } });
    assert.match((await own.call()).err, /error: “macro_f1” is not measured: add it to "metrics"/);
    assert.equal(own.service.executedRuns, 0);
  });

  it('compares with the results of a commit, row by row, and never with those of other requests', async () => {
    await put();
    await own.call();
    await git('init', '--quiet');
    await git('add', 'try.experiment.json', 'try.results.jsonl');
    await git('commit', '--quiet', '-m', 'first');
    const same = await own.call('--fail-if-worse-than', 'HEAD');
    assert.deepEqual([same.code, own.service.executedRuns], [0, ROWS], same.err);
    assert.match(same.out, /against before: accuracy ±0\.000 \(.*\), 20 rows: cannot tell yet \(p = 1\.000/);

    wrong = (row) => row < 8;
    const again = ['--results', 'again.jsonl', '--state', path.join(own.folder, 'other')];
    const words = [...again, '--fail-if-worse-than', 'HEAD', '--junit', 'report.xml'];
    const worse = await own.call(...words);
    assert.deepEqual([worse.code, own.service.executedRuns], [1, 2 * ROWS], worse.err);
    assert.match(
      worse.err,
      /is worse than before: accuracy −0\.400 \(.*\), 20 rows: worse .* 8 became wrong, 0 became right/,
    );
    const xml = await own.read('report.xml');
    assert.match(xml, /tests="3" failures="2" errors="0"/);
    assert.match(xml, /<failure message="accuracy not worse than before">/);

    // A changed prompt: other requests for the same rows.
    await put({ run: { model: 'one', input: { hint: 'be quick' } } });
    const other = await own.call(...words);
    assert.equal(other.code, 1, other.err);
    assert.match(
      other.err,
      /Result was not compared with before: There are no earlier results of the requests of this column/,
    );
    assert.match(await own.read('report.xml'), /<failure message="has earlier results">/);
  });

  it('compares a column that was run before a second model was added, and names the new one', async () => {
    const metrics = ['accuracy'];
    await put({ metrics });
    await own.call();
    await rename(path.join(own.folder, 'try.results.jsonl'), path.join(own.folder, 'old.results.jsonl'));
    wrong = (_, model) => model === 'one';
    await put({ ...two, metrics });
    const words = ['--fail-if-worse-than', 'old.results.jsonl', '--state', path.join(own.folder, 'other')];
    const both = await own.call(...words, '--junit', 'report.xml');
    assert.equal(both.code, 1);
    assert.match(both.err, /one is worse than before: accuracy −1\.000 \(.*\), 20 rows: worse/);
    assert.match(both.err, /two was not compared with before: There are no earlier results/);
    assert.match(await own.read('report.xml'), /name="has earlier results" classname="two"/);
    const allowed = await own.call(...words, '--allow-new-columns', '--junit', 'report.xml');
    assert.match(allowed.err, /two was not compared with before/);
    assert.match(await own.read('report.xml'), /tests="4" failures="1" errors="0"/);
  });

  it('lets a small loss pass that may be chance, also against a file of other rows', async () => {
    await put();
    await own.call();
    await rename(path.join(own.folder, 'try.results.jsonl'), path.join(own.folder, 'old.results.jsonl'));
    await own.putRows([99, ...Array(ROWS).keys()]);
    wrong = (row) => row < 2;
    const { code, out } = await own.call(
      '--fail-if-worse-than',
      'old.results.jsonl',
      '--state',
      path.join(own.folder, 'other'),
    );
    assert.equal(code, 0, out);
    assert.match(
      out,
      /against before: accuracy −0\.100 \(.*\), 0\.900 against 1\.000 in 20 rows that both have: cannot tell yet/,
    );
    assert.match(out, /2 became wrong, 0 became right/);
  });

  it('fails where no result can be measured any more, and names a value that rounds to its threshold', async () => {
    await own.putRows([...Array(30).keys()]);
    wrong = (row) => row < 10;
    await put({ metrics: ['accuracy'] });
    const rounded = await own.call('--fail-below', 'accuracy=0.667');
    assert.equal(rounded.code, 1);
    assert.match(rounded.err, /accuracy >= 0\.667 is not met\. accuracy 0\.6667 \(/);
    await rename(path.join(own.folder, 'try.results.jsonl'), path.join(own.folder, 'old.results.jsonl'));
    await own.put(
      'try.results.jsonl',
      (await own.read('old.results.jsonl')).replaceAll('"label"', '"class"'),
    );
    const lost = await own.call('--fail-if-worse-than', 'old.results.jsonl', '--junit', 'lost.xml');
    assert.equal(lost.code, 1, lost.out);
    assert.match(lost.err, /is worse than before: accuracy: not measured, since no result has a value at/);
    assert.match(lost.err, /None of the 30 results of this model has a value at \/label/);
    assert.match(await own.read('lost.xml'), /<failure message="accuracy not worse than before">/);
  });

  it('writes a report without scripts, with figures, baseline, checks and the rows that became wrong', async () => {
    await put(two);
    await own.call();
    await rename(path.join(own.folder, 'try.results.jsonl'), path.join(own.folder, 'old.results.jsonl'));
    wrong = (row, model) => model === 'two' && row < 8;
    const words = ['--fail-if-worse-than', 'old.results.jsonl', '--state', path.join(own.folder, 'other')];
    const { code, err } = await own.call(...words, '--report', 'a.html', '--fail-below', 'accuracy=0.7');
    assert.equal(code, 1, err);
    const html = await own.read('a.html');
    assert.match(html, /Baseline: one/);
    assert.match(html, /<b>1\.000<\/b><small>/);
    assert.match(html, /<span class="bad">▼ −0\.400 worse<\/span>/);
    assert.match(html, /<li class="bad">✗ two: accuracy &#62;= 0\.7/);
    assert.match(html, /two, against before<\/b>: 8 became wrong, 0 became right/);
    assert.match(html, /two, against one<\/b>: 8 became wrong/);
    assert.doesNotMatch(html, /<script|https?:/);
    await own.call(...words, '--report', 'a.md');
    const markdown = await own.read('a.md');
    assert.match(markdown, /^\| accuracy \| \*\*1\\?\.000\*\*/m);
  });

  it('writes each figure with its rows, interval and cost as JSON', async () => {
    [wrong, fails] = [(row) => row < 5, (row) => row === 19];
    await put(two);
    const { code } = await own.call(
      '--json',
      'figures.json',
      '--junit',
      'report.xml',
      '--fail-below',
      'accuracy=0.6',
    );
    assert.equal(code, 1, 'a run failed');
    const { columns, checks, baseline } = JSON.parse(await own.read('figures.json'));
    assert.equal(baseline, 'one');
    assert.deepEqual(
      columns.map(({ name }: { name: string }) => name),
      ['one', 'two'],
    );
    const [{ metrics, runs, cost, variation }] = columns;
    assert.deepEqual(
      [metrics.accuracy.value, metrics.accuracy.n, metrics.accuracy.of, metrics.accuracy.failed],
      [14 / ROWS, ROWS, ROWS, 1],
    );
    assert.ok(metrics.accuracy.interval.low < 0.7 && metrics.accuracy.interval.high > 0.7);
    assert.deepEqual(runs, { finished: 19, failed: 1, unconfirmed: 0, missing: 0 });
    assert.deepEqual([cost, variation], [[{ amount: '0.19', currency: 'USD' }], { '/model': 'one' }]);
    const { difference, best } = columns[1].metrics.accuracy;
    assert.deepEqual([difference.n, difference.sign, difference.p, best], [ROWS, 'unknown', 1, true]);
    assert.ok(difference.interval.low < 0 && difference.interval.high > 0);
    assert.deepEqual(
      checks.map(({ passed }: { passed: boolean }) => passed),
      [true, true],
    );
    const xml = await own.read('report.xml');
    assert.match(xml, /tests="4" failures="2" errors="0"/);
    assert.match(xml, /name="accuracy &gt;= 0.6" classname="two"/);
  });
});
