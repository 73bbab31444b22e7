import assert from 'node:assert/strict';
import { readExperiment } from '../../../../src/experiments/file/read';
import { withColumnUse } from '../../../../src/experiments/setup/setUp';
import { readTable } from '../../../../src/intake/readTable';
import { Turns } from '../../../../src/service/turns';

const tableOf = (csv: string) => readTable(Buffer.from(csv), '.csv', new Turns());

describe('An experiment that is set up', () => {
  it('gives a column another use, and keeps comments and everything else', async () => {
    const table = await tableOf('text,label,note\na,cat,one\nb,dog,two\n');
    let text = `{
  // mine
  "run": { "model": "m", "input": {} },
  "over": { "rows": "a.csv", "map": { "/input/text": "text" } },
  "expected": { "column": "label", "at": "/label" },
  "metrics": ["exact"],
  "thresholds": { "exact": "> 0.5" }
}`;
    const use = (column: string, as: Parameters<typeof withColumnUse>[4]) => {
      const { experiment, problems } = readExperiment(text);
      assert.deepEqual(problems, []);
      text = withColumnUse(text, experiment!, table, column, as);
      assert.match(text, /\/\/ mine/);
      return readExperiment(text).experiment!;
    };
    const taken = use('note', { place: '/input/text' });
    assert.deepEqual(taken.over, { rows: 'a.csv', map: { '/input/text': 'note' } });
    assert.deepEqual(taken.expected, { column: 'label', at: '/label' }, 'as it was');
    assert.deepEqual(use('label', 'expected').expected, { column: 'label', at: '/label' }, 'no change');
    const other = use('text', 'expected');
    assert.deepEqual([other.expected, other.metrics], [{ column: 'text' }, ['exact']]);
    const none = use('text', 'none');
    assert.deepEqual([none.expected, none.metrics, none.thresholds], [undefined, undefined, undefined]);
  });
});
