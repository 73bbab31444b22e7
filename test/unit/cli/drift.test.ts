import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ExperimentInTerminal, type ModelRequest } from '../../support/experiments/inTerminal';

const ROWS = 60;

describe('The check for a changed model in a terminal', () => {
  let own: ExperimentInTerminal;
  let sent: ModelRequest[] = [];
  /** Rows on which the model “two” errs, by their number. */
  let errs = (row: number) => row % 10 === 0;
  let isListed = false;

  before(async () => {
    own = await ExperimentInTerminal.start((request) => {
      sent.push(request);
      const row = Number(request.text);
      const isWrong = request.model === 'two' ? errs(row) : row % 7 === 0;
      const label = isWrong ? 'dog' : 'cat';
      const output = isListed && request.model === 'one' ? { labels: [label] } : { label };
      return { body: { status: 'succeeded', output } };
    });
    await own.putRows([...Array(ROWS).keys()]);
    await put({});
    await own.call();
  });
  beforeEach(() => {
    sent = [];
  });
  after(() => own?.close());

  const put = (more: object) => own.putExperiment({ vary: { '/model': ['one', 'two', 'three'] }, ...more });
  const forget = async () => {
    for (const name of await readdir(own.folder))
      if (name.includes('.drift-')) await rm(path.join(own.folder, name), { recursive: true });
  };

  it('sends some finished inputs of each column again, and passes where none has changed', async () => {
    const { code, out } = await own.call('--check-drift', '12');
    assert.equal(code, 0, out);
    for (const model of ['one', 'two', 'three'])
      assert.equal(sent.filter((one) => one.model === model).length, 12 + 10, model);
    assert.match(
      out,
      /two, against before: 12 of 12 answers are equal to those before; sent twice, 10 of 10 are: no sign/,
    );
    assert.match(out, /two, against before: .*accuracy/);
    assert.match(out, /12 inputs show a loss of 59 points or more/);
    assert.equal((await own.results()).results.length, 3 * ROWS, 'the earlier results stay');
  });

  it('ends with 1 and names the column that has changed', async () => {
    await forget();
    errs = () => true;
    const { code, out, err } = await own.call('--check-drift', '12');
    assert.equal(code, 1, `${out}${err}`);
    assert.equal(sent.length, 3 * (12 + 10), 'deleted results are not restored');
    assert.match(
      err,
      /two has changed: \d+ of 12 answers are equal to those before; sent twice, 10 of 10 are: unlikely/,
    );
    assert.match(err, /two has changed: .*accuracy/);
    assert.doesNotMatch(err, /(?:one|three) has changed/);
  });

  it('sees that all answers are others, though they are as wrong as before', async () => {
    await forget();
    await put({ expected: { column: 'text', at: '/label' } });
    isListed = false;
    errs = (row) => row % 10 !== 0;
    const { code, out, err } = await own.call('--check-drift=30');
    assert.equal(code, 1, err);
    assert.match(out, /two, against before: accuracy ±0\.000/);
    assert.match(err, /two has changed: 0 of 30 answers are equal to those before; sent twice, 10 of 10 are/);
  });
});
