import assert from 'node:assert/strict';
import type * as pathPattern from '../../../src/domain/pathPattern';
import { LONGEST_PATTERN, pathMatcher, withoutBraces } from '../../../src/domain/pathPattern';
import { gitignoreRules, ignoreVerdict, UnusableRules } from '../../../src/intake/ignoreRules';
import { useCounted } from '../../support/countedWork';

describe('A pattern of paths', () => {
  const counted = useCounted<typeof pathPattern>(['src/domain/pathPattern.ts']);

  it('takes as many steps for a class of any number of members', async () => {
    const members = Array.from({ length: 1_300 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    const matches = counted.code.pathMatcher(`*[${members}z]x`, false, false);
    assert.ok(matches);
    const steps = await counted.steps(() => assert.ok(!matches(['y'.repeat(250)], { steps: 1_000 })));
    assert.ok(steps < 10_000, `${steps} steps for 250 characters`);
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
