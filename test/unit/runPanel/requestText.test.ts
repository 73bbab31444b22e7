import assert from 'node:assert/strict';
import { readText } from '../../../webview/run/json/requestText';

describe('The JSON of a request', () => {
  it('rejects a text whose value would differ from its look', () => {
    for (const [text, why] of [
      ['{"input": {"a": 1, "a": 2}}', /“a” appears twice. Remove one of them. \(line 1, column 20\)/],
      ['{"input": {"a": 12345678901234567890}}', /cannot be sent exactly/],
      ['{"input": {"a": 1e999}}', /too large for a number/],
      ['{"input": {"__proto__": {"x": 1}}}', /“__proto__” cannot be sent/],
    ] as const) {
      const read = readText(text);
      assert.ok('problem' in read, text);
      assert.match(read.problem, why);
    }
    assert.ok('input' in readText('{"input": {"a": 1.0, "b": {"a": 9007199254740992}, "c": 0.1}}'));
  });
});
