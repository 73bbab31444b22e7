import assert from 'node:assert/strict';
import { LONGEST_PATTERN, pathMatcher, withoutBraces } from '../../../src/domain/pathPattern';
import { gitignoreRules, ignoreVerdict, UnusableRules } from '../../../src/intake/ignoreRules';
import { threadTime } from '../../support/threadTime';

describe('A pattern of paths', () => {
  it('takes little time for a class of any number of members', () => {
    const members = Array.from({ length: 1_300 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    const matches = pathMatcher(`*[${members}z]x`, false, false);
    assert.ok(matches);
    const name = 'y'.repeat(250);
    const ms = threadTime(() => {
      for (let n = 0; n < 10_000; n++) assert.ok(!matches([name], { steps: 1_000_000 }));
    });
    assert.ok(ms < 5_000, `${ms} ms`);
    assert.ok(matches(['azx'], { steps: 1_000 }) && matches([`a${members[700]}x`], { steps: 1_000 }));
    const without = pathMatcher(`[!${members}]`, false, true);
    assert.ok(without?.(['z'], { steps: 100 }) && !without(['一'], { steps: 100 }));
  });

  it('stays unused beyond the length of real paths, and makes its .gitignore unusable', () => {
    const long = 'a'.repeat(LONGEST_PATTERN + 1);
    assert.equal(pathMatcher(long, true, false), undefined);
    assert.equal(withoutBraces('{'.repeat(60_000) + '}'.repeat(60_000)), undefined);
    assert.throws(() => gitignoreRules(`*.log\n[${'ab'.repeat(125_000)}]\n`), UnusableRules);
    const rules = gitignoreRules(`# ${long}\n${'b'.repeat(LONGEST_PATTERN)}\n*.log\n`);
    assert.equal(ignoreVerdict(rules, ['x.log'], false, { steps: 1_000 }), 'ignored');
  });
});
