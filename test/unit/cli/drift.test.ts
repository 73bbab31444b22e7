import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResults } from '../../support/atOnce';
import { callHere } from '../../support/commandLine';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';

const ROWS = 60;

describe('The check for a changed model in a terminal', function () {
  this.timeout(120_000);
  let folder: string;
  let service: FaultProxy;
  let sent: { readonly model: string; readonly row: number }[] = [];
  /** Rows on which the model “two” errs, by their number. */
  let errs = (row: number) => row % 10 === 0;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-drift-'));
    service = await startFaultProxy({
      behind: ({ path: route, body }) => {
        const slug = /models\/(\w+)$/.exec(route)?.[1];
        if (slug !== undefined) return { body: { slug, input_schema: { properties: { text: {} } } } };
        const { model, input } = JSON.parse(body.toString()) as { model: string; input: { text: string } };
        const row = Number(input.text);
        sent.push({ model, row });
        const isWrong = model === 'two' ? errs(row) : row % 7 === 0;
        return { body: { status: 'succeeded', output: { label: isWrong ? 'dog' : 'cat' } } };
      },
    });
    const rows = Array.from({ length: ROWS }, (_, row) => `${row},cat\n`);
    await writeFile(path.join(folder, 'rows.csv'), `text,label\n${rows.join('')}`);
    await put({});
    await call();
  });
  beforeEach(() => {
    sent = [];
  });
  after(async () => {
    await service?.close();
    await rm(folder, { recursive: true });
  });

  const put = (more: object) =>
    writeFile(
      path.join(folder, 'try.experiment.json'),
      JSON.stringify({
        run: { model: 'one', input: {} },
        vary: { '/model': ['one', 'two', 'three'] },
        over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
        expected: { column: 'label', at: '/label' },
        metrics: ['accuracy'],
        ...more,
      }),
    );
  const call = (...words: string[]) =>
    callHere(
      [
        ...['experiment', 'try.experiment.json', '--base-url', service.url, '--max-cost', '100'],
        ...['--state', path.join(folder, 'state'), ...words],
      ],
      { cwd: folder, apiKey: 'key' },
    );
  const forget = async () => {
    for (const name of await readdir(folder))
      if (name.includes('.drift-')) await rm(path.join(folder, name), { recursive: true });
  };

  it('sends some finished inputs of each column again, and passes where none has changed', async () => {
    const { code, out } = await call('--check-drift', '12');
    assert.equal(code, 0, out);
    for (const model of ['one', 'two', 'three'])
      assert.equal(sent.filter((one) => one.model === model).length, 12, model);
    assert.match(out, /two, against before: .*accuracy/);
    const own = readResults(await readFile(path.join(folder, 'try.results.jsonl'), 'utf8'));
    assert.equal(own.results.length, 3 * ROWS, 'the earlier results stay');
  });

  it('sends nothing again when it is started again on the same day', async () => {
    const { code } = await call('--check-drift', '12');
    assert.deepEqual([code, sent.length], [0, 0]);
  });

  it('ends with 1 and names the column that has changed', async () => {
    await forget();
    errs = () => true;
    const { code, out, err } = await call('--check-drift', '12', '--state', path.join(folder, 'elsewhere'));
    assert.equal(code, 1, `${out}${err}`);
    assert.match(err, /two has changed: .*accuracy/);
    assert.doesNotMatch(err, /(?:one|three) has changed/);
  });

  it('sends no run without anything to compare', async () => {
    assert.match((await call('--check-drift', 'many')).err, /must be a number of inputs/);
    assert.match((await call('--check-drift', '5', '--shard', '1/2')).err, /a check of its own/);
    await put({ metrics: [] });
    assert.match((await call('--check-drift', '5')).err, /no "metrics" by which it could have changed/);
    await put({ vary: { '/model': ['four'] } });
    assert.match((await call('--check-drift', '5')).err, /there is nothing to compare with/);
    assert.equal(sent.length, 0);
  });
});
