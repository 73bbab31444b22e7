import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EarlyStop, evidence, type StopValue } from '../../../../src/experiments/stop/evidence';
import { Random } from '../../../simulation/random';

/** The integral of the likelihood ratio over all better odds, by small steps. */
function integral(wins: number, losses: number): number {
  const steps = 20_000;
  let sum = 0;
  for (let step = 0; step < steps; step++) {
    const odds = 0.5 + (step + 0.5) / (2 * steps);
    sum += Math.exp(wins * Math.log(2 * odds) + losses * Math.log(2 - 2 * odds));
  }
  return sum / steps;
}

describe('The evidence for a rival', () => {
  it('equals the mixture of likelihood ratios over all better odds', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), (wins, losses) => {
        const [closed, summed] = [evidence(wins, losses), integral(wins, losses)];
        assert.ok(Math.abs(closed - summed) < 1e-4 * summed, `${wins} ${losses}: ${closed}, not ${summed}`);
      }),
    );
  });

  it('gains nothing on average from an input on which both are equally likely right', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (wins, losses) => {
        const now = evidence(wins, losses);
        const next = (evidence(wins + 1, losses) + evidence(wins, losses + 1)) / 2;
        assert.ok(Math.abs(next - now) < 1e-9 * now);
      }),
    );
  });
});

/** Plays columns that are right with these probabilities; inputs are easy or hard for all of them alike. */
function play(random: Random, rights: readonly number[], inputs: number) {
  const outcomes: StopValue[][] = rights.map(() => []);
  const stop = new EarlyStop(rights.length, 0.95, {
    order: Array.from({ length: inputs }, (_, row) => row),
    value: (row, column) => outcomes[column]![row],
  });
  let sent = 0;
  for (let row = 0; row < inputs; row++) {
    const ease = random.chance(0.3) ? random.int(0, 999) / 1000 : undefined;
    for (const [column, right] of rights.entries()) {
      if (stop.ended.has(column)) continue;
      sent++;
      outcomes[column]![row] = (ease ?? random.int(0, 999) / 1000) < right ? 1 : 0;
    }
    for (const column of rights.keys()) stop.look(column);
  }
  return { share: sent / (inputs * rights.length), ended: stop.ended };
}

describe('Ending columns early', () => {
  const PLAYS = 150;
  const plays = (rights: readonly number[], inputs: number) => {
    const random = new Random(7);
    return Array.from({ length: PLAYS }, () => play(random, rights, inputs));
  };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

  it('sends less than half of the runs where differences are clear, and keeps the best', () => {
    const played = plays([0.9, 0.6, 0.55, 0.5, 0.4, 0.3], 200);
    assert.ok(mean(played.map(({ share }) => share)) < 0.5);
    assert.equal(played.filter(({ ended }) => ended.has(0)).length, 0);
  });

  it('ends one of equal columns in at most one of twenty experiments', () => {
    const played = plays([0.8, 0.8, 0.8, 0.8], 300);
    const dropped = played.filter(({ ended }) => ended.has(0)).length;
    assert.ok(dropped <= PLAYS / 20, `${dropped} of ${PLAYS}`);
  });

  it('waits for the first input of the order that has not run', () => {
    const outcomes: StopValue[][] = [[], []];
    const stop = new EarlyStop(2, 0.95, {
      order: Array.from({ length: 40 }, (_, row) => row),
      value: (row, column) => outcomes[column]![row],
    });
    for (let row = 1; row < 40; row++) for (const column of [0, 1]) outcomes[column]![row] = column;
    stop.look(1);
    assert.deepEqual([...stop.ended.keys()], [], 'later inputs alone prove nothing');
    outcomes[0]![0] = 'none';
    stop.look(0);
    assert.deepEqual([...stop.ended.keys()], [], 'the other column has not run either');
    outcomes[1]![0] = 1;
    outcomes[1]![1] = 'none';
    stop.look(1);
    const { rival, losses, inputs } = stop.ended.get(0)!;
    assert.deepEqual({ rival, losses }, { rival: 1, losses: 0 });
    assert.ok(inputs < 39, 'before the end');
  });

  it('ends no column that cannot be measured', () => {
    const stop = new EarlyStop(2, 0.95, {
      order: Array.from({ length: 40 }, (_, row) => row),
      value: (_, column) => column,
      mayEnd: (column) => column !== 0,
    });
    stop.look(0);
    assert.equal(stop.ended.size, 0);
  });
});
