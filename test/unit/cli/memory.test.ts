import assert from 'node:assert/strict';
import { callGuard } from '../../../src/commands/callRuns';
import { readLimit } from '../../../src/domain/amounts';
import { Estimates } from '../../../src/runs/estimates/estimates';
import { run, usd } from '../../support/guard';

describe('The budget of one call', () => {
  it('ends at --max-cost, and never without it', () => {
    const admitTwo = (maxCost: string | undefined) => {
      const guard = callGuard(new Estimates([]), readLimit(maxCost));
      guard.admit(run()).settle(usd('1'));
      guard.admit(run());
    };
    admitTwo(undefined);
    admitTwo('2');
    assert.throws(() => admitTwo('1.99'), { kind: 'budgetReached' });
  });
});
