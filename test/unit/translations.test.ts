import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/paths';
import { FIXED } from '../support/pseudoLanguage';

type Texts = Readonly<Record<string, string | { readonly message: string }>>;

/** The languages of VS Code's own language packs that we speak, by the locale in the names of their files. */
const LOCALES = ['de', 'es', 'fr', 'ja', 'pt-br', 'zh-cn'] as const;
const FILES = [
  { english: 'package.nls.json', of: (locale: string) => `package.nls.${locale}.json` },
  { english: 'l10n/bundle.l10n.json', of: (locale: string) => `l10n/bundle.l10n.${locale}.json` },
];

const textsOf = (file: string): Map<string, string> => {
  if (!existsSync(path.join(root, file))) return new Map();
  const texts = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Texts;
  return new Map(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
  );
};
const sameInEnglish = JSON.parse(
  readFileSync(path.join(root, 'test/unit/translations.sameInEnglish.json'), 'utf8'),
) as Record<string, string[]>;
/** In any order. */
const fixed = (text: string): readonly string[] => (text.match(FIXED) ?? []).sort();
const hasNoLetters = (text: string) => /^[^\p{L}]*$/u.test(text.replaceAll(/\{\d+\}/g, ''));

for (const locale of LOCALES)
  describe(`The texts in the language ${locale}`, () => {
    const same = new Set<string>(sameInEnglish[locale]);
    for (const { english, of } of FILES) {
      const texts = textsOf(english);
      const translated = textsOf(of(locale));

      it(`translates only texts that exist, in ${of(locale)}`, () => {
        assert.deepEqual(
          [...translated.keys()].filter((key) => !texts.has(key)),
          [],
        );
      });

      it(`keep placeholders, icons, links and code in ${of(locale)}`, () => {
        const differ = [...translated].filter(
          ([key, text]) => texts.has(key) && fixed(text).join() !== fixed(texts.get(key)!).join(),
        );
        assert.deepEqual(differ, []);
      });

      it(`differ from English in ${of(locale)}`, () => {
        const left = [...translated]
          .filter(([key, text]) => text === texts.get(key) && !hasNoLetters(text) && !same.has(text))
          .map(([, text]) => text);
        assert.deepEqual(left, []);
      });

      it(`end in the same way in ${of(locale)}: a title with an ellipsis, a sentence with its stop`, () => {
        const end = (text: string) => /(?:…|\.\.\.)$/.test(text);
        const differ = [...translated].filter(
          ([key, text]) => texts.has(key) && end(text) !== end(texts.get(key)!),
        );
        assert.deepEqual(differ, []);
      });
    }
  });
