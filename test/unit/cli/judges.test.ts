import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResults } from '../../support/atOnce';
import { callHere, startCli } from '../../support/commandLine';
import {
  type FaultProxy,
  type SeenRequest,
  type StubResponse,
  startFaultProxy,
} from '../../support/faultProxy';
import { cliProgram } from '../../support/programs';

const ROWS = 12;

interface JudgeRequestBody {
  readonly model: string;
  readonly input: { readonly text: string };
}

describe('The judges of an experiment in a terminal', function () {
  this.timeout(60_000);
  let cli: string;
  let folder: string;
  let service: FaultProxy;
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
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-judges-'));
    [judged, sent] = [[], []];
    answer = () => '4';
    onJudge = () => undefined;
    service = await startFaultProxy({ behind: respond });
    await put('rows.csv', `text,label\n${Array.from({ length: ROWS }, (_, row) => `${row},cat\n`).join('')}`);
    await put('judge.run.json', {
      model: 'judge',
      input: { text: 'Grade: {{input}} | {{output}} | {{expected}}' },
    });
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  function respond({ path: route, body }: SeenRequest): StubResponse {
    const slug = /models\/(\w+)$/.exec(route)?.[1];
    if (slug !== undefined)
      return { body: { slug, input_schema: { type: 'object', properties: { text: { type: 'string' } } } } };
    const { model, input } = JSON.parse(body.toString()) as JudgeRequestBody;
    const cost = { amount: model === 'judge' ? '0.02' : '0.01', currency: 'USD' };
    sent.push(`${model} ${input.text}`);
    if (model !== 'judge')
      return { body: { status: 'succeeded', output: { label: `${model} ${input.text}` }, cost } };
    judged.push(input.text);
    onJudge();
    return { body: { status: 'succeeded', output: { answer: answer(input.text) }, cost } };
  }

  const put = (name: string, value: object | string) =>
    writeFile(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  const experiment = (judge: object, more: object = {}) => ({
    run: { model: 'one', input: {} },
    over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
    expected: { column: 'label', at: '/label' },
    metrics: [{ name: 'helpful', judge: 'judge.run.json', at: '/answer', ...judge }],
    ...more,
  });
  const rubric = { rubric: { from: 1, to: 5 } };

  const words = (maxCost = '100', state = 'state') => [
    ...['experiment', 'try.experiment.json', '--base-url', service.url, '--max-cost', maxCost],
    ...['--state', path.join(folder, state)],
  ];
  const call = (...more: string[]) => callHere([...words(), ...more], { cwd: folder, apiKey: 'key' });
  const lines = async () => readResults(await readFile(path.join(folder, 'try.results.jsonl'), 'utf8'));

  it('run after the results, are paid and kept like these, and print their figure', async () => {
    answer = (text) => ` ${(Number(/\d+/.exec(text)![0]) % 3) + 3}\n`;
    await put('try.experiment.json', experiment(rubric, { thresholds: { helpful: '>= 3.5' } }));
    const { code, out, err } = await call('--json', 'report.json');
    assert.equal(code, 0, err);
    assert.match(out, /^24 runs/m, 'judges are part of the expected cost');
    assert.match(out, /24 of 24 runs finished/);
    assert.deepEqual(
      judged.toSorted(),
      Array.from({ length: ROWS }, (_, row) => `Grade: ${row} | one ${row} | cat`).sort(),
    );
    const { results, judging, costs } = await lines();
    assert.deepEqual([results.length, judging.length, costs.size], [ROWS, ROWS, 2 * ROWS]);
    for (const line of judging) {
      assert.match(line.custom_id, /^[0-9a-f]{24}-judge$/);
      assert.deepEqual([line.judge, line.state, line.cost?.amount], ['helpful', 'finished', '0.02']);
    }
    const { columns } = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
    assert.equal(columns[0].metrics.helpful.value, 4);
    assert.equal(columns[0].metrics.helpful.n, ROWS);
    assert.match(out, /^helpful\n {2}Result {2}4\.000 .*n 12/m);
    const again = await call();
    assert.equal(again.code, 0, again.err);
    assert.equal(judged.length, ROWS, 'nothing is judged twice');
    await put('try.experiment.json', experiment(rubric, { thresholds: { helpful: '>= 4.5' } }));
    assert.equal((await call()).code, 1, 'a gate uses the figure');
  });

  it('judge again only where the result, the rubric or the judge is another one', async () => {
    await put('try.experiment.json', experiment(rubric));
    await call();
    await put(
      'rows.csv',
      `text,label\n${Array.from({ length: ROWS }, (_, row) => `${row === 3 ? 99 : row},cat\n`).join('')}`,
    );
    await call();
    assert.equal(judged.length, ROWS + 1, 'a changed row');
    await put('judge.run.json', { model: 'judge', input: { text: 'Grade strictly: {{output}}' } });
    await call();
    assert.equal(judged.length, 2 * ROWS + 1, 'a changed rubric');
    await put('judge.run.json', { model: 'other', input: { text: 'Grade strictly: {{output}}' } });
    await call();
    assert.equal(sent.filter((one) => one.startsWith('other')).length, ROWS, 'another judge');
  });

  it('leave unclear answers out of the figure, and keep them', async () => {
    answer = (text) =>
      text.includes('| one 5 |') ? 'I would say 4' : text.includes('| one 6 |') ? '7' : '2';
    await put('try.experiment.json', experiment(rubric));
    const { out, err } = await call('--json', 'report.json');
    const { columns } = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
    assert.deepEqual(
      [columns[0].metrics.helpful.value, columns[0].metrics.helpful.n],
      [2, ROWS - 2],
      out + err,
    );
    const { judging } = await lines();
    assert.ok(judging.some(({ result }) => JSON.stringify(result).includes('I would say 4')));
    assert.match(err, /2 answers of judges are not understood/);
    await put('try.experiment.json', experiment({ ...rubric, at: '' }));
    const wrong = await call();
    assert.match(wrong.err, /12 answers of judges are not understood/);
    assert.equal(judged.length, ROWS, 'another place in the same answers');
  });

  it('compare in both orders, and call a preference for a position a tie', async () => {
    await put('judge.run.json', { model: 'judge', input: { text: '{{output}} or {{other}}?' } });
    await put('try.experiment.json', experiment({ pairwise: {} }, { vary: { '/model': ['one', 'two'] } }));
    // Two wins in even rows; in odd ones the first is always better.
    answer = (text) => (Number(/\d+/.exec(text)![0]) % 2 === 1 || text.startsWith('two') ? 'A' : 'B');
    const { code, err } = await call('--json', 'report.json');
    assert.equal(code, 0, err);
    assert.equal(judged.length, 2 * ROWS);
    const { columns } = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
    assert.equal(columns[0].metrics.helpful.value, null, 'the baseline is not compared with itself');
    assert.equal(columns[1].metrics.helpful.value, 0.75);
  });

  it('judge each result once through kills and resumes', async () => {
    await put('try.experiment.json', experiment(rubric));
    let kills = 0;
    const start = () => startCli(cli, words(), { cwd: folder, apiKey: 'key' });
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
    const { judging } = await lines();
    const states = judging.map(({ state }) => state);
    assert.equal(judging.length, ROWS);
    assert.equal(
      states.filter((state) => state === 'finished').length +
        states.filter((state) => state === 'unconfirmed').length,
      ROWS,
    );
    // A request may have been killed on its way.
    assert.ok(judged.length >= states.filter((state) => state === 'finished').length);
    const { code, err } = await call();
    assert.equal(code, states.includes('unconfirmed') ? 3 : 0, err);
  });

  it('judge each result once in two terminals at the same time', async () => {
    await put('try.experiment.json', experiment(rubric));
    await call();
    await put('judge.run.json', { model: 'judge', input: { text: 'Again: {{output}}' } });
    judged = [];
    const children = ['one', 'two'].map((name) =>
      startCli(cli, words('100', name), { cwd: folder, apiKey: 'key' }),
    );
    await Promise.all(children.map((child) => once(child, 'close')));
    assert.deepEqual(judged.toSorted(), [...new Set(judged)].sort());
    assert.equal((await call()).code, 0);
    assert.equal(judged.length, ROWS);
  });

  it('stop at the budget of the call, and continue with the next one', async () => {
    await put('try.experiment.json', experiment(rubric));
    const { code, err } = await callHere(words('0.2'), { cwd: folder, apiKey: 'key' });
    assert.equal(code, 3, err);
    assert.ok(judged.length < ROWS, `${judged.length} judged`);
    assert.equal((await call()).code, 0);
    assert.equal(new Set(judged).size, ROWS);
    assert.equal(judged.length, ROWS, 'none is sent twice');
  });

  it('wait for a call without shards, since they may need the results of others', async () => {
    await put('try.experiment.json', experiment(rubric));
    for (const shard of ['1/2', '2/2']) assert.equal((await call('--shard', shard)).code, 0);
    assert.equal(judged.length, 0);
  });

  it('report each fault before anything is sent', async () => {
    for (const [text, found] of [
      ['Grade', /lacks {{output}}/],
      ['{{output}} {{othr}}', /“{{othr}}” is no placeholder/],
      ['{{output}} {{other}}', /{{other}} is for “pairwise” only/],
    ] as const) {
      await put('judge.run.json', { model: 'judge', input: { text } });
      await put('try.experiment.json', experiment(rubric));
      const { code, err } = await call();
      assert.equal(code, 2, err);
      assert.match(err, found);
    }
    assert.deepEqual(sent, []);
  });
});
