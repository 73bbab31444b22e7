import assert from 'node:assert/strict';
import { Turns } from '../../../src/store/turns';

describe('Turns of a long loop', () => {
  it('end only after a while, and begin again when others have run', async () => {
    const { now } = performance;
    let at = 0;
    performance.now = () => at;
    try {
      const turns = new Turns();
      const steps = (count: number) => Array.from({ length: count }, () => turns.isOver).includes(true);
      assert.equal(steps(320), false, 'they take no time');
      at += 10;
      assert.equal(steps(31), false, 'the clock is looked at now and then');
      assert.equal(steps(1), true);
      let others = 0;
      setImmediate(() => others++);
      await turns.rest();
      assert.equal(others, 1);
      assert.equal(steps(320), false);
      at += 10;
      assert.equal(steps(32), true);
    } finally {
      performance.now = now;
    }
  });
});
