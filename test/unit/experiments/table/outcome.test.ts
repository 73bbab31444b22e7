import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { scoreIn } from '../../../../src/experiments/table/lineReadings';
import { lineOutcome } from '../../../../src/experiments/table/outcome';

const line = (more: Partial<ResultLine>): ResultLine => ({
  custom_id: 'a-0',
  variation: {},
  item: 'row 2',
  repeat: 0,
  request_sha256: 'a',
  state: 'finished',
  ...more,
});
const of = (result: Json, at = '') => lineOutcome(line({ result }), at);

describe('The outcome of a run', () => {
  it('stays short and never throws, for any result', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string(), (result, at) => {
        const { kind, text } = of(result as Json, at);
        assert.ok(text.length <= 240 && !text.includes('\n'), kind);
      }),
    );
  });

  it('appears in its own form: a label with its score, a number, a text, hits, JSON', () => {
    const labels = [
      { label: 'en', score: 0.2 },
      { label: 'de', score: 0.7 },
    ];
    assert.deepEqual(of({ labels }), { kind: 'label', text: 'de', score: 0.7 });
    assert.deepEqual(of({ language: 'en', labels }, '/language'), { kind: 'label', text: 'en' });
    assert.equal(scoreIn(line({ result: { language: 'en', labels } }), '/language'), 0.2);
    assert.equal(scoreIn(line({ result: { labels } }), ''), 0.7);
    assert.deepEqual(of(12.5), { kind: 'number', text: '12.5', value: 12.5 });
    assert.deepEqual(of({ words: 12 }, '/words'), { kind: 'number', text: '12', value: 12 });
    assert.equal(of(`${'long text. '.repeat(20)}`).kind, 'text');
    assert.equal(of({ hits: [{ id: 'a.png', score: 0.9 }] }).kind, 'hits');
    assert.deepEqual(of({ a: 1, b: 'two' }), { kind: 'json', text: 'a: 1, b: two' });
  });

  it('becomes the picture when the result is one', () => {
    const file = 'emoji.results/cat.png';
    assert.deepEqual(lineOutcome(line({ result_file: file }), ''), {
      kind: 'picture',
      text: 'cat.png',
      file,
    });
    const others = ['emoji.results/cat-2.png', 'emoji.results/cat-3.png'];
    const several = lineOutcome(line({ result_file: file, other_files: others }), '');
    assert.deepEqual(several, { kind: 'picture', text: 'cat.png', file, more: 2 });
    const mark = `sha256:${'0'.repeat(64)}`;
    const marked = lineOutcome(line({ result: { image: mark }, result_file: file }), '/image');
    assert.deepEqual(marked, { kind: 'picture', text: 'cat.png', file });
    const beside = lineOutcome(line({ result: { image: mark, label: 'cat' }, result_file: file }), '/label');
    assert.deepEqual(beside, { kind: 'label', text: 'cat', file });
    assert.equal(lineOutcome(line({ result_file: 'a.results/long.json' }), '').kind, 'media');
  });

  it('shows numbers as people write them, and very large and small ones as powers', () => {
    const texts = [0, 0.0001, 0.00001234, -1e15, 999_999_999_999, 1234.5].map((number) => of(number).text);
    assert.deepEqual(texts, ['0', '0.0001', '1.2340e-5', '-1.0000e+15', '999,999,999,999', '1,234.5']);
  });

  it('contains the reason of a failure, and the service’s message about a run that it may have charged', () => {
    const failed = lineOutcome(line({ state: 'failed', reason: 'The text\nis too long.' }), '/a');
    assert.deepEqual(failed, { kind: 'failure', text: 'The text is too long.' });
    assert.deepEqual(lineOutcome(line({ state: 'unconfirmed', reason: '502: upstream\ngone' }), ''), {
      ...{ kind: 'failure', text: '502: upstream gone' },
    });
    assert.deepEqual(lineOutcome(line({ state: 'unconfirmed' }), ''), { kind: 'none', text: '' });
  });
});
