import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRunResponse } from '../../../src/readers/run';
import { tolerantJson } from '../../../src/readers/tolerantJson';
import { rawOf } from '../../support/rawOf';

const ODD = [...['NaN', 'nan', '-nan', 'Infinity', '-Infinity', 'inf', '-inf', 'Inf', 'undefined', 'None']];

describe('JSON with values that JSON does not have', () => {
  it('reads them as null and everything else unchanged', () => {
    const marker = 'odd-value-of-a-test';
    const withOdd = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constant(marker),
        fc.constantFrom('NaN', 'a "None", undefined', '\\', ': Infinity,', 'x', true, null, 1.5, -3),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'NaN', 'None"', 'b\\'), tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(withOdd, fc.constantFrom(...ODD), (value, odd) => {
        const text = JSON.stringify(value).replaceAll(`"${marker}"`, odd);
        const expected: unknown = JSON.parse(JSON.stringify(value).replaceAll(`"${marker}"`, 'null'));
        const read = tolerantJson(text);
        assert.deepEqual(read?.value, expected, text);
        assert.equal(read?.hasOddValues, JSON.stringify(value).includes(`"${marker}"`));
      }),
    );
  });

  it('reads Python’s booleans', () => {
    assert.deepEqual(tolerantJson('{"a":True,"b":[False,None]}')?.value, { a: true, b: [false, null] });
  });

  it('reads no other text', () => {
    for (const text of ['NaNs', '{"a":NaN', '{a:NaN}', 'None of it', '[NaN,]', '{"a":xNaN}', '"NaN'])
      assert.equal(tolerantJson(text), undefined, text);
  });

  it('costs a run neither its state, its cost nor its identifier', () => {
    const body =
      '{"id":"r1","status":"failed","error":"CUDA out of memory","cost":"0.001","metrics":{"predict_time":NaN}}';
    const { state, runId, cost, message, raw } = readRunResponse(rawOf(body), new URL('https://a.example'));
    assert.deepEqual(
      [state, runId, cost, message],
      ['failed', 'r1', { amount: '0.001' }, 'CUDA out of memory'],
    );
    assert.equal(String(Buffer.from(raw.bytes)), body);
  });
});
