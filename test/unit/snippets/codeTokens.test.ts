import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CodeLanguage, codeTokens } from '../../../webview/shared/codeBlock';
import { timesAsLong } from '../../support/countedWork';

const languages: readonly CodeLanguage[] = ['json', 'curl', 'python', 'javascript', 'typescript'];

const kinds = (text: string, language: CodeLanguage) =>
  codeTokens(text, language).flatMap(({ kind, text: piece }) => (kind ? [`${kind} ${piece}`] : []));

describe('Code in colors', () => {
  it('knows the comments and strings of each language', () => {
    assert.deepEqual(kinds("# it's\ncurl -d '{\"a\": 1}' # x", 'curl'), [
      ...["comment # it's", 'keyword curl', 'string \'{"a": 1}\'', 'comment # x'],
    ]);
    assert.deepEqual(kinds('def f(x1):\n  """It\'s # no\ncomment"""\n  return 2', 'python'), [
      ...['keyword def', 'string """It\'s # no\ncomment"""', 'keyword return', 'number 2'],
    ]);
    assert.deepEqual(kinds('const a = `b $c`; // "d"', 'typescript'), [
      ...['keyword const', 'string `b $c`', 'comment // "d"'],
    ]);
    assert.deepEqual(kinds('const url = "https://a.test#b"', 'javascript'), [
      ...['keyword const', 'string "https://a.test#b"'],
    ]);
  });

  it('leaves every text unchanged, in time that grows only with its length', () => {
    const pieces = fc.constantFrom(...'"\'`#/*\\: \n-1.eE', 'true', 'def', '日', '"""');
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.array(pieces, { maxLength: 200 }), (language, some) => {
        const text = some.join('');
        assert.equal(
          codeTokens(text, language)
            .map((token) => token.text)
            .join(''),
          text,
        );
      }),
    );
    const ordinary = 'say("a", 1) # b\n'.repeat(20_000);
    const hostile = ['"', "'", '`', '/*', '# ', '"""', '\\', '1', 'a', '"a" '].map((piece) =>
      piece.repeat(40_000),
    );
    for (const language of languages) {
      const times = timesAsLong(
        () => hostile.map((text) => codeTokens(text, language)),
        () => hostile.map(() => codeTokens(ordinary, language)),
      );
      assert.ok(times < 20, `${language}: ${times} times as long as ordinary text`);
    }
  });
});
