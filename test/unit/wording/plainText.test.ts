import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainLine, plainLines } from '../../../src/wording/plainText';
import { hostileText, isPlain } from '../../support/hostileText';

describe('A text in a message', () => {
  it('is neither link nor icon, one line, and read from left to right', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = plainLine(text);
        assert.ok(isPlain(shown) && !shown.includes('\n'), JSON.stringify(shown));
        assert.ok(shown.length < 2_200 * 8);
      }),
      { numRuns: 20_000 },
    );
  });

  it('reads as it was written', () => {
    const ordinary = 'Größe 3 (von 5): $5.00 [a] b\\c.png — “ok”, 日本語, שלום, 👩‍🔬';
    assert.equal(plainLine(ordinary), ordinary);
    assert.equal(
      plainLine('[Renew it here](command:x) $(trash)').replaceAll('\u2060', ''),
      '[Renew it here](command:x) $(trash)',
    );
    assert.equal(plainLine('a\nb\u202egpj.exe'), 'a␊b[U+202E]gpj.exe');
  });

  it('begins a new line only where the list of lines does', () => {
    assert.equal(plainLines(['a\nCost: $0', 'b']), 'a␊Cost: $0\nb');
    assert.equal(plainLines('a\nb'), 'a␊b');
  });
});
