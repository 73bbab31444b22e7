import assert from 'node:assert/strict';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import {
  markdownText,
  plainLine,
  terminalJson,
  terminalLine,
  visibleText,
} from '../../../src/wording/plainText';
import { hostileText, isPlain } from '../../support/hostileText';

describe('A text in a message', () => {
  it('contains neither link nor icon, and reads as one line from left to right', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = plainLine(text);
        assert.ok(isPlain(shown) && !shown.includes('\n'), JSON.stringify(shown));
        assert.ok(shown.length < 2_200 * 8);
      }),
      { numRuns: 20_000 },
    );
  });

  it('reads like its source', () => {
    const ordinary = 'Größe 3 (von 5): $5.00 [a] b\\c.png — “ok”, 日本語, שלום, 👩‍🔬';
    assert.equal(plainLine(ordinary), ordinary);
    assert.equal(
      plainLine('[Renew it here](command:x) $(trash)').replaceAll('\u2060', ''),
      '[Renew it here](command:x) $(trash)',
    );
    assert.equal(plainLine('a\nb\u202egpj.exe'), 'a␊b[U+202E]gpj.exe');
  });

  it('shows every invisible or reordering character by its code point', () => {
    for (const code of [
      0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x202e, 0x2063, 0x2069, 0x3164, 0xfeff, 0xe0041,
    ]) {
      const character = String.fromCodePoint(code);
      const name = `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
      assert.equal(plainLine(`a${character}b`), `a${name}b`);
      assert.equal(visibleText(`a\n${character}\tb`), `a\n${name}\tb`);
    }
    assert.equal(plainLine('Mo\u200ddel \u2060x'), 'Mo[U+200D]del [U+2060]x');
  });
});

/** Finds commands like the readers of CI logs, even those that compare texts without invisible characters. */
const ignorable = /\p{DI}/gu;
const isCommand = (line: string) => {
  const seen = line.replaceAll(ignorable, '');
  return /##(?:vso|teamcity)?\[/.test(seen) || /^\s*::/.test(seen);
};

describe('A line of the terminal', () => {
  it('contains no command to the CI', () => {
    const part = fc.constantFrom(
      ...[
        '##vso[task.prependpath]/x',
        '##[error]x',
        '##teamcity[x]',
        '::error ::',
        '::stop-commands::x',
        ':',
        '#',
        '##',
      ],
      ...[' ', '\t', '\n', '\u2060', '\u200d', '\ufe0f', '\u00ad', '\u00a0', 'é', '[', 'vso[', '\u001b[2K'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const line = terminalLine(parts.join(''));
        assert.ok(!isCommand(line) && isPlain(line), JSON.stringify(line));
      }),
      { numRuns: 20_000 },
    );
    assert.ok(isCommand('::error::x') && isCommand('a ##vso[x]') && isCommand('#\u2060#[x]'));
  });
});

describe('A text as Markdown', () => {
  const render = (markdown: string) =>
    micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });

  it('reads like its source', () => {
    const texts = [
      '!![x](https://a.test/x.png)',
      'www.a.test and a@b.test',
      '1. one',
      '- [ ] task',
      '    code',
      '~~~\rmore',
      '&lt;b&gt; &#91;',
      '| a | b |',
    ];
    for (const text of texts)
      assert.equal(
        render(markdownText(text))
          .replaceAll(/<[^>]*>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&'),
        text.trim().replaceAll('\r', '\n'),
      );
  });
});

describe('JSON for a terminal', () => {
  const piece = fc.constantFrom(
    '##',
    '#',
    '::',
    '[',
    'vso',
    '\u202e',
    '\u001b[2J',
    '\ud800',
    '\u{e0041}',
    '\u2028',
    'ä',
    '"',
    '\\',
  );

  it('reads back as the value, on one line without hidden characters and commands', () => {
    fc.assert(
      fc.property(
        fc.anything({
          maxDepth: 2,
          maxKeys: 3,
          key: fc.array(piece).map((parts) => parts.join('')),
          values: [
            fc.array(piece).map((parts) => parts.join('')),
            fc.string({ unit: 'binary' }),
            fc.integer(),
          ],
        }),
        (value) => {
          const plain: unknown = JSON.parse(JSON.stringify({ value }));
          const text = terminalJson({ value });
          assert.deepEqual(JSON.parse(text), plain);
          assert.doesNotMatch(text, /\p{Cc}|\p{Zl}|\p{Surrogate}|\u202e|##/u);
        },
      ),
    );
  });
});
