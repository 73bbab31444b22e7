import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import { startCli } from '../../support/commandLine';
import { ExperimentInTerminal } from '../../support/experiments/inTerminal';
import { cliProgram } from '../../support/programs';

const ROWS = 12;

describe('The judges of an experiment in a terminal', () => {
  let cli: string;
  let own: ExperimentInTerminal;
  /** The requests of judges. */
  let judged: string[];
  let sent: string[];
  let answer: (text: string) => string;
  /** Called with each request of a judge. */
  let onJudge: () => void;

  before(async () => {
    cli = await cliProgram();
  });
  beforeEach(async () => {
    [judged, sent] = [[], []];
    answer = () => '4';
    onJudge = () => undefined;
    own = await ExperimentInTerminal.start(({ model, text }) => {
      const cost = { amount: model === 'judge' ? '0.02' : '0.01', currency: 'USD' };
      sent.push(`${model} ${text}`);
      if (model !== 'judge')
        return { body: { status: 'succeeded', output: { label: `${model} ${text}` }, cost } };
      judged.push(text);
      onJudge();
      return { body: { status: 'succeeded', output: { answer: answer(text) }, cost } };
    });
    await own.putRows([...Array(ROWS).keys()]);
    await judge('Grade: {{input}} | {{output}} | {{expected}}');
  });
  afterEach(() => own.close());

  const judge = (text: string, model = 'judge') => own.put('judge.run.json', { model, input: { text } });
  const put = (asked: object, more: object = {}) =>
    own.putExperiment({
      metrics: [{ name: 'helpful', judge: 'judge.run.json', at: '/answer', ...asked }],
      ...more,
    });
  const rubric = { rubric: { from: 1, to: 5 } };

  it('run after the results, are paid and kept like these, and print their figure', async () => {
    answer = (text) => ` ${(Number(/\d+/.exec(text)![0]) % 3) + 3}\n`;
    await put(rubric, { thresholds: { helpful: '>= 3.5' } });
    const { code, out, err } = await own.call('--json', 'report.json');
    assert.equal(code, 0, err);
    assert.match(out, /^24 runs/m, 'judges are part of the expected cost');
    assert.match(out, /24 of 24 runs finished/);
    assert.deepEqual(
      judged.toSorted(),
      Array.from({ length: ROWS }, (_, row) => `Grade: ${row} | one ${row} | cat`).sort(),
    );
    const { results, judging, costs } = await own.results();
    assert.deepEqual([results.length, judging.length, costs.size], [ROWS, ROWS, 2 * ROWS]);
    for (const line of judging) {
      assert.match(line.custom_id, /^[0-9a-f]{24}-judge$/);
      assert.deepEqual([line.judge, line.state, line.cost?.amount], ['helpful', 'finished', '0.02']);
    }
    const { columns } = JSON.parse(await own.read('report.json'));
    assert.equal(columns[0].metrics.helpful.value, 4);
    assert.equal(columns[0].metrics.helpful.n, ROWS);
    assert.match(out, /^helpful\n {2}Result {2}4\.000 .*n 12/m);
    const again = await own.call();
    assert.equal(again.code, 0, again.err);
    assert.equal(judged.length, ROWS, 'nothing is judged twice');
    await put(rubric, { thresholds: { helpful: '>= 4.5' } });
    assert.equal((await own.call()).code, 1, 'a gate uses the figure');
  });

  it('judge again only where the result, the rubric or the judge is another one', async () => {
    await put(rubric);
    await own.call();
    await own.putRows([...Array(ROWS).keys()].map((row) => (row === 3 ? 99 : row)));
    await own.call();
    assert.equal(judged.length, ROWS + 1, 'a changed row');
    await judge('Grade strictly: {{output}}');
    await own.call();
    assert.equal(judged.length, 2 * ROWS + 1, 'a changed rubric');
    await judge('Grade strictly: {{output}}', 'other');
    await own.call();
    assert.equal(sent.filter((one) => one.startsWith('other')).length, ROWS, 'another judge');
  });

  it('leave unclear answers out of the figure, and keep them', async () => {
    answer = (text) =>
      text.includes('| one 5 |') ? 'I would say 4' : text.includes('| one 6 |') ? '7' : '2';
    await put(rubric);
    const { out, err } = await own.call('--json', 'report.json');
    const { columns } = JSON.parse(await own.read('report.json'));
    assert.deepEqual(
      [columns[0].metrics.helpful.value, columns[0].metrics.helpful.n],
      [2, ROWS - 2],
      out + err,
    );
    const { judging } = await own.results();
    assert.ok(judging.some(({ result }) => JSON.stringify(result).includes('I would say 4')));
    assert.match(err, /2 answers of judges are not understood/);
    await put({ ...rubric, at: '' });
    const wrong = await own.call();
    assert.match(wrong.err, /12 answers of judges are not understood/);
    assert.equal(judged.length, ROWS, 'another place in the same answers');
  });

  it('compare in both orders, and call a preference for a position a tie', async () => {
    await judge('{{output}} or {{other}}?');
    await put({ pairwise: {} }, { vary: { '/model': ['one', 'two'] } });
    // Two wins in even rows; in odd ones the first is always better.
    answer = (text) => (Number(/\d+/.exec(text)![0]) % 2 === 1 || text.startsWith('two') ? 'A' : 'B');
    const { code, err } = await own.call('--json', 'report.json');
    assert.equal(code, 0, err);
    assert.equal(judged.length, 2 * ROWS);
    const { columns } = JSON.parse(await own.read('report.json'));
    assert.equal(columns[0].metrics.helpful.value, null, 'the baseline is not compared with itself');
    assert.equal(columns[1].metrics.helpful.value, 0.75);
  });

  it('judge each result once through kills and resumes', async () => {
    await put(rubric);
    let kills = 0;
    const start = () => startCli(cli, own.words(), { cwd: own.folder, apiKey: 'key' });
    let child = start();
    onJudge = () => {
      if (kills < 2 && judged.length % 4 === 3) {
        kills += 1;
        child.kill('SIGKILL');
      }
    };
    for (let turn = 0; turn < 5; turn += 1) {
      if (turn > 0) child = start();
      await once(child, 'close');
    }
    assert.ok(kills > 0);
    assert.equal(new Set(judged).size, judged.length, 'none is sent twice');
    const { judging } = await own.results();
    const states = judging.map(({ state }) => state);
    assert.equal(judging.length, ROWS);
    assert.equal(
      states.filter((state) => state === 'finished').length +
        states.filter((state) => state === 'unconfirmed').length,
      ROWS,
    );
    // A request may have been killed on its way.
    assert.ok(judged.length >= states.filter((state) => state === 'finished').length);
    const { code, err } = await own.call();
    assert.equal(code, states.includes('unconfirmed') ? 3 : 0, err);
  });

  it('judge each result once in two terminals at the same time', async () => {
    await put(rubric);
    await own.call();
    await judge('Again: {{output}}');
    judged = [];
    const children = ['one', 'two'].map((name) =>
      startCli(cli, own.words('--state', path.join(own.folder, name)), { cwd: own.folder, apiKey: 'key' }),
    );
    await Promise.all(children.map((child) => once(child, 'close')));
    assert.deepEqual(judged.toSorted(), [...new Set(judged)].sort());
    assert.equal((await own.call()).code, 0);
    assert.equal(judged.length, ROWS);
  });

  it('stop at the budget of the call, and continue with the next one', async () => {
    await put(rubric);
    const { code, err } = await own.call('--max-cost', '0.2');
    assert.equal(code, 3, err);
    assert.ok(judged.length < ROWS, `${judged.length} judged`);
    assert.equal((await own.call()).code, 0);
    assert.equal(new Set(judged).size, ROWS);
    assert.equal(judged.length, ROWS, 'none is sent twice');
  });

  it('wait for a call without shards, since they may need the results of others', async () => {
    await put(rubric);
    for (const shard of ['1/2', '2/2']) assert.equal((await own.call('--shard', shard)).code, 0);
    assert.equal(judged.length, 0);
  });

  it('report each fault before anything is sent', async () => {
    for (const [text, found] of [
      ['Grade', /lacks {{output}}/],
      ['{{output}} {{othr}}', /“{{othr}}” is no placeholder/],
      ['{{output}} {{other}}', /{{other}} is for “pairwise” only/],
    ] as const) {
      await judge(text);
      await put(rubric);
      const { code, err } = await own.call();
      assert.equal(code, 2, err);
      assert.match(err, found);
    }
    assert.deepEqual(sent, []);
  });
});
