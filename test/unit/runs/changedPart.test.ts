import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changedPart } from '../../../webview/compare/changedPart';

const marked = (text: string, other: string) => {
  const { from, to } = changedPart(text, other);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
};

describe('The part of a text that differs from another', () => {
  it('consists of whole words', () => {
    assert.deepEqual(marked('What a lovely day.', 'What a lonely day.'), ['What a ', 'lovely', ' day.']);
    assert.deepEqual(marked('a b c', 'a b c'), ['a b c', '', ''].toReversed());
    assert.deepEqual(marked('a b', 'a b c'), ['a b', '', '']);
  });

  it('lies between the common beginning and end of both texts', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', '日', '👍') });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [before, changed, after] = marked(one, other);
        assert.equal(`${before}${changed}${after}`, one);
        if (one === other) return assert.equal(changed, '');
        assert.ok(other.startsWith(before!) && other.endsWith(after!));
        assert.ok(before!.length + after!.length <= other.length);
      }),
    );
  });
});
