import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { sameJson } from '../../../src/domain/value';
import { isBlank, isLabel, isSame } from '../../../src/experiments/metrics/equality';
import { METRICS, type MetricName, measureItem } from '../../../src/experiments/metrics/metrics';

const by = (
  name: MetricName,
  got: Json | undefined,
  expected: Json | undefined,
  isText = false,
  tolerance = 0,
) => measureItem({ name, tolerance }, got, expected, isText);

/** Values that are often nearly the same: few words, in several ways of writing. */
const label = fc.oneof(
  fc.constantFrom(
    'cat',
    'dog',
    ' cat',
    'caf\u00e9',
    'cafe\u0301',
    '1',
    '1.0',
    '0.10',
    'TRUE',
    'true',
    '',
    ' ',
    '007',
  ),
  fc.constantFrom(0, 1, 0.1, -0, true, false),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  label,
  fc.constant(null),
  fc.array(label, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'label'), label, { maxKeys: 2 }),
  fc.jsonValue({ maxDepth: 2 }).map((one) => one as Json),
);
const tableText = value.map((one): Json => (typeof one === 'string' ? one : JSON.stringify(one)));

/** The rule of the documentation, written down a second time. */
function isEqualByRule(got: Json | undefined, expected: Json): boolean {
  const text = (one: Json) => String(one).normalize('NFC').trim();
  if (typeof got === 'string' && typeof expected === 'string') return text(got) === text(expected);
  if (isLabel(got) && isLabel(expected)) {
    const [string, other] = typeof got === 'string' ? [got, expected] : [expected, got];
    if (typeof string !== 'string') return string === other;
    if (typeof other === 'boolean') return text(string).toLowerCase() === String(other);
    return /\d/.test(string) && !/^[+-]?0x|^[+-]?0[bo]/i.test(text(string)) && Number(text(string)) === other;
  }
  if (Array.isArray(got) && Array.isArray(expected) && [...got, ...expected].every(isLabel)) {
    const numbers = (list: readonly Json[]) => list.some((one) => typeof one === 'number');
    const booleans = (list: readonly Json[]) => list.some((one) => typeof one === 'boolean');
    const isPlain = !numbers([...got, ...expected]) && !booleans([...got, ...expected]);
    if (!isPlain) return isSame(got, expected);
    return sameJson([...new Set(got.map(text))].sort(), [...new Set(expected.map(text))].sort());
  }
  return !isLabel(got) && sameJson(composed(got), composed(expected));
}

function composed(one: Json | undefined): Json | undefined {
  return one === undefined ? one : (JSON.parse(JSON.stringify(one).normalize('NFC')) as Json);
}

describe('The comparison with an expected value', () => {
  it('calls a result right only where it equals the expected value by the stated rule', () => {
    fc.assert(
      fc.property(fc.option(value, { nil: undefined }), value, (got, expected) => {
        for (const name of ['accuracy', 'exact'] as const) {
          const wanted = isBlank(expected) ? undefined : Number(isEqualByRule(got, expected));
          assert.equal(by(name, got, expected), wanted, JSON.stringify([got, expected]));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('never calls two values the same for lack of a label', () => {
    const noLabel = fc.oneof(
      fc.constant(null),
      fc.array(value, { maxLength: 2 }),
      fc.dictionary(fc.string(), value),
    );
    fc.assert(
      fc.property(fc.option(noLabel, { nil: undefined }), fc.string(), (got, expected) => {
        for (const name of ['accuracy', 'macro_f1', 'exact'] as const)
          assert.notEqual(by(name, got as Json | undefined, expected), 1);
      }),
    );
    assert.equal(by('accuracy', { labels: ['dog'] }, ['cat']), 0);
    assert.equal(by('accuracy', undefined, { label: 'cat' }), 0);
    assert.equal(by('macro_f1', ['dog', {}], ['dog', {}]), undefined, 'a list of other values is no class');
    assert.equal(by('macro_f1', { label: 'dog' }, { label: 'dog' }), undefined, 'an object is no class');
    assert.deepEqual(
      [['dog', 'cat'], ['dog'], []].map((got) => by('macro_f1', got, ['cat', 'dog'])),
      [1, 0, 0],
      'a list of labels is a set',
    );
  });

  it('measures no row without an expected value, by any metric', () => {
    for (const name of Object.keys(METRICS) as MetricName[])
      for (const blank of [undefined, null, '', '  ', '\u00a0'])
        for (const got of [undefined, null, '', 'cat', 3, [1, 2, 3, 4]])
          assert.equal(by(name, got, blank, true), undefined);
  });

  /** The rule of the documentation, of values that are not blank. */
  const isContainedByRule = (got: Json | undefined, expected: Json): boolean => {
    const text = (one: Json) => String(one).normalize('NFC').trim();
    if (typeof got === 'string') return isLabel(expected) && text(got).indexOf(text(expected)) >= 0;
    if (Array.isArray(got)) {
      const wanted = Array.isArray(expected) ? expected : [expected];
      return wanted.filter((one) => !got.some((item) => isEqualByRule(item, one))).length === 0;
    }
    const isMembers = (one: Json | undefined): one is Readonly<Record<string, Json>> =>
      typeof one === 'object' && one !== null && !Array.isArray(one);
    if (!isMembers(got) || !isMembers(expected)) return isEqualByRule(got, expected);
    return Object.keys(expected).every(
      (name) => Object.keys(got).includes(name) && isEqualByRule(got[name], expected[name]!),
    );
  };

  it('finds an expected value inside a result, but no other value', () => {
    let contained = 0;
    fc.assert(
      fc.property(fc.option(value, { nil: undefined }), value, (got, expected) => {
        const found = by('contains', got, expected);
        if (isBlank(expected)) assert.equal(found, undefined);
        else assert.equal(found, Number(isContainedByRule(got, expected)));
        contained += found ?? 0;
      }),
      { numRuns: 4_000 },
    );
    assert.ok(contained > 50, 'values that nothing contains prove nothing');
  });

  it('reads a word of a cell as a label, even if it is JSON', () => {
    for (const word of ['null', '"cat"', '1.0', 'true'])
      assert.equal(by('contains', ['dog', word], word, true), 1, word);
  });

  it('compares a cell of a table as text or as the JSON in it, and a value of JSONL as JSON only', () => {
    for (const text of ['123', 'true', 'null', '[1]', 'plain']) {
      assert.equal(by('json_equal', text, text), 1, text);
      assert.equal(by('json_equal', text, text, true), 1, text);
    }
    assert.equal(by('json_equal', 123, '123', true), 1);
    assert.equal(by('json_equal', 123, '123'), 0);
    fc.assert(
      fc.property(value, tableText, (got, text) => {
        const wanted = by('json_equal', got, text, true);
        if (wanted !== 1) return;
        const read = [text, ...(isJson(text) ? [JSON.parse(String(text)) as Json] : [])];
        assert.ok(read.some((one) => sameJson(composed(got), composed(one))));
      }),
      { numRuns: 2_000 },
    );
  });

  it('compares numbers in JSON with a tolerance that binary rounding does not narrow', () => {
    const near = (got: Json, expected: Json, tolerance: number) =>
      by('json_equal', got, expected, false, tolerance);
    assert.equal(near(0.4, 0.3, 0.1), 1);
    assert.equal(near(0.7, 0.8, 0.1), 1);
    assert.equal(near([{ a: 0.3 }], [{ a: 0.29 }], 0.01), 1);
    assert.equal(near(0.41, 0.3, 0.1), 0);
    assert.equal(near({ b: 'x', a: [1.05, 2] }, { a: [1, 2], b: 'x' }, 0.1), 1);
    assert.equal(near({ a: [1, 2] }, { a: [1, 2], b: 'x' }, 1), 0);
    assert.equal(near(0.1 + 0.2, 0.3, 0), 0, 'without a tolerance numbers are what they are');
  });

  it('counts characters as people see them in the distance of two texts', () => {
    assert.equal(by('edit_distance', 'kitten', 'sitting'), 3);
    assert.equal(by('edit_distance', 'caf\u00e9', 'cafe\u0301'), 0);
    assert.equal(by('edit_distance', 'a\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', 'a'), 1);
    assert.equal(by('edit_distance', '\u{1f600}', '\u{1f601}'), 1);
  });
});

function isJson(text: Json): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}
