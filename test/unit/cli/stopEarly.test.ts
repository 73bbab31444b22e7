import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResults } from '../../support/atOnce';
import { callHere } from '../../support/commandLine';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';

const ROWS = 120;

describe('An experiment with "stop" in a terminal', function () {
  this.timeout(120_000);
  let folder: string;
  let service: FaultProxy;
  const sent = new Map<string, number>();

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-stop-'));
    service = await startFaultProxy({
      behind: ({ path: route, body }) => {
        const slug = /models\/(\w+)$/.exec(route)?.[1];
        if (slug !== undefined) return { body: { slug, input_schema: { properties: { text: {} } } } };
        const { model, input } = JSON.parse(body.toString()) as { model: string; input: { text: string } };
        const key = `${model} ${input.text}`;
        sent.set(key, (sent.get(key) ?? 0) + 1);
        // “good” errs on every tenth row, “bad” on two of three; “odd” has no label at all.
        const row = Number(input.text);
        const isRight = model === 'good' ? row % 10 > 0 : row % 3 === 0;
        const output = model === 'odd' ? { text: 'none' } : { label: isRight ? 'cat' : 'dog' };
        return { body: { status: 'succeeded', output } };
      },
    });
    const rows = Array.from({ length: ROWS }, (_, row) => `${row},cat\n`);
    await writeFile(path.join(folder, 'rows.csv'), `text,label\n${rows.join('')}`);
    await writeFile(
      path.join(folder, 'try.experiment.json'),
      JSON.stringify({
        run: { model: 'good', input: {} },
        vary: { '/model': ['good', 'bad', 'odd'] },
        over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
        expected: { column: 'label', at: '/label' },
        metrics: ['accuracy'],
        stop: { metric: 'accuracy', confidence: 0.95 },
      }),
    );
  });
  after(async () => {
    await service?.close();
    await rm(folder, { recursive: true });
  });

  const call = () =>
    callHere(
      [
        ...['experiment', 'try.experiment.json', '--base-url', service.url, '--max-cost', '100'],
        ...['--state', path.join(folder, 'state')],
      ],
      { cwd: folder, apiKey: 'key' },
    );
  const sentTo = (model: string) => [...sent.keys()].filter((key) => key.startsWith(model)).length;

  it('ends the column that is certainly not the best, and keeps those that are or cannot be measured', async () => {
    const { code, out } = await call();
    assert.equal(code, 0, out);
    assert.equal(sentTo('good'), ROWS);
    assert.equal(sentTo('odd'), ROWS);
    const ended = sentTo('bad');
    assert.ok(ended > 5 && ended < 60, `${ended} runs`);
    assert.match(out, /bad: ended early after \d+ inputs: good is better, right alone on \d+ of them/);
    assert.match(out, new RegExp(`${ROWS - ended} runs are left out, since their columns ended early`));
    assert.match(out, new RegExp(`bad +${ended} of ${ROWS} +ended early`));
    const { results } = readResults(await readFile(path.join(folder, 'try.results.jsonl'), 'utf8'));
    assert.equal(results.length, 2 * ROWS + ended);
  });

  it('sends none of the left out runs when it is started again', async () => {
    const before = sentTo('bad');
    const { code } = await call();
    assert.deepEqual([code, sentTo('bad')], [0, before]);
    assert.ok([...sent.values()].every((count) => count === 1));
  });
});
