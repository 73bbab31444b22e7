import assert from 'node:assert/strict';
import {
  alarmsTogether,
  coverageOf,
  heldShare,
  MANY_LABELS,
  SHARED_RUNS,
  SIMULATIONS,
} from '../../simulation/coverage';

describe('Figures of simulated experiments', () => {
  // 200 of each instead of the thousand of `npm run coverage`: the bounds leave three standard errors.
  it('rarely show a difference where there is none, and have intervals that contain the true value', async () => {
    for (const { of, rows, falseAlarms, given, held, differences } of await coverageOf(
      SIMULATIONS,
      [5, 30],
      200,
      7,
    )) {
      assert.ok(falseAlarms <= 0.1, `${of}, ${rows} rows: ${falseAlarms} alarms`);
      for (const one of [{ given, held }, differences])
        if (one.given > 0.1) assert.ok(one.held >= 0.89, `${of}, ${rows} rows: ${one.held} held`);
      if (/85%|far off/.test(of)) continue;
      assert.equal(given > 0.8, rows === 30 || of === 'accuracy', `${of}, ${rows} rows: ${given} given`);
    }
    assert.ok((await alarmsTogether(30, 200, 7)) <= 0.1);
  }).timeout(120_000);

  it('do the same where rows share runs, which say nothing twice', async () => {
    for (const { of, falseAlarms, held } of await coverageOf(SHARED_RUNS, [30], 200, 7)) {
      assert.ok(falseAlarms <= 0.1, `${of}: ${falseAlarms} alarms`);
      assert.ok(held >= 0.89, `${of}: ${held} held`);
    }
  }).timeout(120_000);

  it('give intervals that contain macro F1 of many labels with few rows each', async () => {
    for (const rows of [60, 300]) {
      const held = await heldShare(MANY_LABELS, rows, 400, 7);
      assert.ok(held >= 0.94, `${rows} rows: ${held} held`);
    }
  }).timeout(60_000);
});
