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
});
