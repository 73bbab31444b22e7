import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactValue, firstInexact, isExactNumber, parseExactly } from '../../../src/domain/exactNumbers';

const beyond = fc
  .bigInt({ min: 2n ** 53n + 1n, max: 10n ** 40n })
  .filter((value) => BigInt(Number(value)) !== value && value % 10n !== 0n);

describe('A number of JSON', () => {
  it('fails with digits that are lost, or beyond every number', () => {
    for (const text of [
      ...['9007199254740993', '12345678901234567890', '0.12345678901234567891', '1e400', '-1e999', '1e-400'],
      ...['', 'x', '1152921504606846976'],
    ])
      assert.equal(isExactNumber(text), false, text);
    for (const text of '0 -0 1.0 1.50 1e3 1E+3 +5 .5 5. 9007199254740992 1e22 100000000000000000000000'.split(
      ' ',
    ))
      assert.equal(isExactNumber(text), true, text);
    assert.equal(
      firstInexact('{"9007199254740993": "9007199254740993", "a": [1, -9007199254740995.0]}'),
      '-9007199254740995.0',
    );
    assert.equal(firstInexact('{"a": "\\\\\\"1e400", "b": 1}'), undefined);
  });
});

describe('Numbers of a response that JavaScript would change', () => {
  it('become strings of their digits after any character that JSON allows before a number', () => {
    for (const before of ['', ' ', '\n', '\t', '[', '[ ', '[0,', '[1e2 ,\r\n', '{"a":', '{"a" : ']) {
      const after = before.includes('[') ? ']' : before.includes('{') ? '}' : '';
      for (const digits of ['9007199254740993', '-12345678901234567890', '1e400', '-1E+400', '12.5e999'])
        assert.ok(JSON.stringify(parseExactly(`${before}${digits}${after}`)).includes(`"${digits}"`), before);
    }
  });

  it('become strings of their digits at any place of the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), beyond, fc.boolean(), (value, number, isNegative) => {
        const digits = `${isNegative ? '-' : ''}${number}`;
        const text = `{"a": ${JSON.stringify(value)}, "id": ${digits}, "list": [1, ${digits}, {"__proto__": ${digits}}]}`;
        const parsed = parseExactly(text) as { a: unknown; id: string; list: unknown[] };
        assert.deepEqual(JSON.parse(JSON.stringify(parsed.a)), JSON.parse(JSON.stringify(value)));
        assert.equal(parsed.id, digits);
        assert.equal(parsed.list[1], digits);
        assert.equal(exactValue(digits), digits);
      }),
    );
  });

  it('leave every other value as JSON.parse has it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parseExactly(text), JSON.parse(text));
      }),
    );
    for (const text of [
      '[0.10000000000000000555, 1e300, 1.5e21, 9007199254740992, 9007199254740991, 12345678901234567.0e-10]',
      '{"sha": "12345678901234567890", "x": 1000000000000000000000}',
    ])
      assert.deepEqual(parseExactly(text), JSON.parse(text));
    for (const text of [
      '{"id": 12345678901234567890',
      '[012345678901234567890]',
      '[12345678901234567890.]',
      '12345678901234567890-',
    ])
      assert.throws(() => parseExactly(text), SyntaxError, text);
  });
});
