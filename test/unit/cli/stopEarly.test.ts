import assert from 'node:assert/strict';
import { ExperimentInTerminal } from '../../support/experiments/inTerminal';

const ROWS = 120;

describe('An experiment with "stop" in a terminal', () => {
  let own: ExperimentInTerminal;
  const sent = new Map<string, number>();

  before(async () => {
    own = await ExperimentInTerminal.start(({ model, text }) => {
      const key = `${model} ${text}`;
      sent.set(key, (sent.get(key) ?? 0) + 1);
      // “good” errs on every tenth row, “bad” on two of three; “odd” has no label at all.
      const row = Number(text);
      const isRight = model === 'good' ? row % 10 > 0 : row % 3 === 0;
      const output = model === 'odd' ? { text: 'none' } : { label: isRight ? 'cat' : 'dog' };
      return { body: { status: 'succeeded', output } };
    });
    await own.putRows([...Array(ROWS).keys()]);
    await own.putExperiment({
      vary: { '/model': ['good', 'bad', 'odd'] },
      stop: { metric: 'accuracy', confidence: 0.95 },
    });
  });
  after(() => own?.close());

  const sentTo = (model: string) => [...sent.keys()].filter((key) => key.startsWith(model)).length;

  it('ends the column that is certainly not the best, and keeps those that are or cannot be measured', async () => {
    const { code, out } = await own.call();
    assert.equal(code, 0, out);
    assert.equal(sentTo('good'), ROWS);
    assert.equal(sentTo('odd'), ROWS);
    const ended = sentTo('bad');
    assert.ok(ended > 5 && ended < 60, `${ended} runs`);
    assert.match(out, /bad: ended early after \d+ inputs: good is better, right alone on \d+ of them/);
    assert.match(out, new RegExp(`${ROWS - ended} runs are left out, since their columns ended early`));
    assert.match(out, new RegExp(`bad +${ended} of ${ROWS} +ended early`));
    const { results } = await own.results();
    assert.equal(results.length, 2 * ROWS + ended);
  });

  it('sends none of the left out runs when it is started again', async () => {
    const before = sentTo('bad');
    const { code } = await own.call();
    assert.deepEqual([code, sentTo('bad')], [0, before]);
    assert.ok([...sent.values()].every((count) => count === 1));
  });

  it('counts equal inputs once: four of them prove nothing, however often they are in the table', async () => {
    await own.putRows(Array.from({ length: ROWS }, (_, at) => 1000 + (at % 4)));
    const { code, out } = await own.call();
    assert.equal(code, 0, out);
    assert.match(out, /bad +0\.250/);
    assert.doesNotMatch(out, /ended early/);
  });
});
