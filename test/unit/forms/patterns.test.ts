import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCheckable, matchesPattern } from '../../../src/forms/patterns/pattern';
import { validateValue } from '../../../src/forms/validate';
import { CheckLimit } from '../../../src/forms/work';

/** New each time, since compiled patterns are kept: it also allows a character that no text here has. */
let made = 0;
const fresh = (pattern: string) => `(?:${pattern})|\\u{${(0xf_0000 + made++).toString(16)}}`;
const test = (pattern: string, text: string) => matchesPattern(fresh(pattern), text, new CheckLimit());

const atom = fc.constantFrom(
  ...['a', 'b', '\\w', '\\d', '.', '[ab]', '[^a]', '\\b', '\\B', '^', '$', '\\s', '\\u{1F600}', '[]', '[^]'],
  ...['\\uD83D\\uDE00', 'é', '[\\u{1F600}-\\u{1F64F}]', '\\p{L}', '-', '\\/', '(?<name>a)', '\\n'],
);
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,2}?', '{2,}', '*?', '{0}');
const pattern = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'medium' },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('pattern'), quantifier).map(([part, times]) => `(${part})${times}`),
  ),
})).pattern;
const unit = fc.constantFrom('a', 'b', '1', ' ', '\n', '😀', 'é', '-', '\u2028', '\ud800');

describe('A pattern of a schema', () => {
  it('matches the same texts as the platform’s own expressions', () => {
    fc.assert(
      fc.property(pattern, fc.string({ unit, maxLength: 12 }), (source, text) => {
        let expected: boolean;
        try {
          expected = new RegExp(source, 'u').test(text);
        } catch {
          return;
        }
        // V8 finds \B inside a surrogate pair, where ECMA-262 does not look.
        if (source.includes('\\B') && /\p{Extended_Pictographic}/u.test(text)) return;
        assert.equal(test(source, text), expected, `${source} on ${JSON.stringify(text)}`);
      }),
      { numRuns: 5_000 },
    );
  });

  it('passes the check when it is harmless, even with nested repetition', () => {
    const semver =
      '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$';
    for (const [source, yes, no] of [
      ['^[a-z]+(?:-[a-z]+)*$', 'a-b-c', 'a--b'],
      [semver, '1.20.3-rc.1+x', '1.2'],
      ['^.{1,1000}$', 'é'.repeat(1000), 'x'.repeat(1001)],
    ] as const)
      assert.deepEqual([test(source, yes), test(source, no)], [true, false], source);
  });

  it('takes time in proportion to the text, for any repetition', () => {
    // From the literature on denial of service by regular expressions, each with a text that holds a backtracking engine.
    for (const [source, text] of [
      ['(a+)+$', `${'a'.repeat(50_000)}!`],
      ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(50_000)],
      ['(x+x+)+y', 'x'.repeat(50_000)],
      ['^(a|a?)+$', `${'a'.repeat(50_000)}b`],
      ['^(\\w+\\s?)*$', `${'word '.repeat(10_000)}!`],
      ['(.*a){20}$', `${'a'.repeat(5000)}!`],
      [
        '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
        'a'.repeat(50_000),
      ],
    ] as const)
      assert.notEqual(test(source, text), true, source);
    // Too large to know: given up, and not taken for either.
    assert.equal(test('(a?){1000}a{1000}b', 'a'.repeat(2000)), undefined);
    assert.equal(isCheckable('(((a{1,50}){1,50}){1,50})x'), false);
    assert.equal(isCheckable('((?:){1000000}){1000000}'), false);
  });

  it('stays unchecked when it looks around or back, and rejects no value', () => {
    for (const source of ['(?=x)x', '(?<!y)x', '(a)\\1', '(?<n>a)\\k<n>', '(?i)x', '[', '\\Ax\\Z']) {
      assert.equal(isCheckable(source), false, source);
      assert.equal(isCheckable(fresh(source)), false, source);
      const schemas = [
        { pattern: source },
        { not: { pattern: source } },
        { oneOf: [{ pattern: source }, { minLength: 100 }] },
        { oneOf: [{ pattern: source }, {}] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        { if: { pattern: source }, then: { minLength: 100 }, else: { maxLength: 0 } },
      ];
      for (const schema of schemas) {
        const { verdict, notes } = validateValue(schema, 'text');
        assert.deepEqual([verdict, notes.length], ['unknown', 1], JSON.stringify(schema));
      }
      const names = [
        { propertyNames: { pattern: source } },
        { patternProperties: { [source]: { type: 'integer' } }, additionalProperties: false },
        { patternProperties: { [source]: {} }, unevaluatedProperties: false },
      ];
      for (const schema of names)
        assert.equal(validateValue(schema, { name: 'x' }).verdict, 'unknown', JSON.stringify(schema));
    }
  });
});
