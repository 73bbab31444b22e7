import assert from 'node:assert/strict';
import fc from 'fast-check';
import { asWritten, parseExactly } from '../../../src/domain/exactNumbers';

const asText = (digits: string) => digits;
const beyond = fc
  .bigInt({ min: 2n ** 53n + 1n, max: 10n ** 40n })
  .filter((value) => BigInt(Number(value)) !== value && value % 10n !== 0n);

describe('Numbers that JavaScript would round', () => {
  it('keep their digits wherever they are in the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), beyond, fc.boolean(), (value, number, isNegative) => {
        const digits = `${isNegative ? '-' : ''}${number}`;
        const text = `{"a": ${JSON.stringify(value)}, "id": ${digits}, "list": [1, ${digits}, {"__proto__": ${digits}}]}`;
        const parsed = parseExactly(text, asText) as { a: unknown; id: string; list: unknown[] };
        assert.deepEqual(JSON.parse(JSON.stringify(parsed.a)), JSON.parse(JSON.stringify(value)));
        assert.equal(parsed.id, digits);
        assert.equal(parsed.list[1], digits);
        assert.ok(JSON.stringify(parseExactly(text, asWritten)).includes(`"id":${digits},`));
      }),
    );
  });

  it('leave every other value as JSON.parse has it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parseExactly(text, assert.fail), JSON.parse(text));
      }),
    );
    for (const text of [
      '[0.10000000000000000555, 1e300, 1.5e21, 9007199254740992, 9007199254740991, 12345678901234567.0e-10]',
      '{"sha": "12345678901234567890", "x": 1000000000000000000000}',
    ])
      assert.deepEqual(parseExactly(text, assert.fail), JSON.parse(text));
    assert.throws(() => parseExactly('{"id": 12345678901234567890', asText), SyntaxError);
  });

  it('are recognised by their value: 2^60 is exact as a number, but not as JavaScript writes it', () => {
    assert.deepEqual(parseExactly('[1152921504606846976, 9007199254740993.5, 1e999]', asText), [
      '1152921504606846976',
      '9007199254740993.5',
      Number.POSITIVE_INFINITY,
    ]);
  });
});
