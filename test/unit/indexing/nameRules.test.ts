import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gitignoreRules, globRules, ignoreVerdict, type NameRules } from '../../../src/intake/ignoreRules';

const linux: NameRules = { foldCase: false, compose: false };
const windows: NameRules = { foldCase: true, compose: false };
const macOS: NameRules = { foldCase: true, compose: true };

const verdict = (rules: ReturnType<typeof globRules>, path: string) =>
  ignoreVerdict(rules, path.split('/'), false, { steps: 100_000 });

const name = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'Ö', 'ñ', '日', '-', '1'), minLength: 1 });
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

describe('Ignore rules by the names of a system', () => {
  it('match exact names on every system', () => {
    fc.assert(
      fc.property(path, fc.constantFrom(linux, windows, macOS), (at, names) => {
        assert.equal(verdict(gitignoreRules(`/${at}\n`, names), at), 'ignored');
        assert.equal(verdict(gitignoreRules(`${at.split('/').at(-1)}\r\n`, names), at), 'ignored');
        assert.equal(verdict(globRules([`**/${at.split('/').at(-1)}`], names), at), 'ignored');
      }),
    );
  });

  it('ignore upper and lower case on Windows and macOS only', () => {
    fc.assert(
      fc.property(path, (at) => {
        const other = at.toUpperCase();
        fc.pre(other !== at);
        for (const names of [windows, macOS])
          assert.equal(verdict(gitignoreRules(`/${other}`, names), at), 'ignored');
        assert.equal(verdict(gitignoreRules(`/${other}`, linux), at), undefined);
        assert.equal(verdict(globRules([other], windows), at), 'ignored');
      }),
    );
  });

  it('ignore composed and decomposed characters on macOS only', () => {
    fc.assert(
      fc.property(path, (at) => {
        const apart = at.normalize('NFD');
        fc.pre(apart !== at);
        assert.equal(verdict(gitignoreRules(`/${at}`, macOS), apart), 'ignored');
        assert.equal(verdict(gitignoreRules(`/${apart}`, macOS), at), 'ignored');
        assert.equal(verdict(globRules([apart], macOS), at), 'ignored');
        for (const names of [linux, windows])
          assert.equal(verdict(gitignoreRules(`/${at}`, names), apart), undefined);
      }),
    );
  });

  it('accept the line ends of every system', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), path, (lines, at) => {
        const text = [...lines, `!${lines[0]}`, '# a comment', ''].join('\n');
        for (const file of [text.replaceAll('\n', '\r\n'), `\ufeff${text}`])
          assert.equal(verdict(gitignoreRules(file, linux), at), verdict(gitignoreRules(text, linux), at));
      }),
    );
  });
});
