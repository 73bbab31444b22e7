import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { checkExpectations, type ExpectationOutcome } from '../../../src/runFiles/expectations';
import type { ExpectedCheck } from '../../../src/runFiles/format';

const FINISHED: ExpectationOutcome = {
  state: 'finished',
  status: 200,
  result: { label: 'positive', score: 0.93, tags: ['a', 'b'], nothing: null },
  response: { id: 'run_1', output: { label: 'positive' } },
  cost: { amount: '0.002', currency: 'USD' },
  seconds: 1.5,
};
const passes = (check: ExpectedCheck, outcome = FINISHED) =>
  checkExpectations([check], outcome).every(({ passed }) => passed);

describe('Expectations of a run file', () => {
  it('check a place of the result, or of the whole response', () => {
    assert.ok(passes({ at: '/label', equals: 'positive' }));
    assert.ok(!passes({ at: '/label', equals: 'negative' }));
    assert.ok(passes({ at: '/id', in: 'response', equals: 'run_1' }));
    assert.ok(!passes({ at: '/id', equals: 'run_1' }));
    assert.ok(passes({ at: '/nothing', equals: null }));
    assert.ok(!passes({ at: '/missing', equals: null }));
    assert.ok(passes({ at: '/label', oneOf: ['neutral', 'positive'] }));
    assert.ok(passes({ at: '/label', contains: 'posi' }));
    assert.ok(passes({ at: '/tags', contains: 'b' }) && !passes({ at: '/tags', contains: 'c' }));
    assert.ok(passes({ at: '', contains: { label: 'positive' } }));
    assert.ok(passes({ at: '/label', matches: '^pos' }) && !passes({ at: '/score', matches: '.' }));
    assert.ok(passes({ at: '/score', near: { value: 0.9, tolerance: 0.05 } }));
    assert.ok(!passes({ at: '/score', near: { value: 0.8, tolerance: 0.05 } }));
    assert.ok(passes({ at: '/score', schema: { type: 'number', maximum: 1 } }));
    assert.ok(!passes({ at: '/label', schema: { type: 'number' } }));
  });

  it('apply a tolerance exactly that binary floats cannot express', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1000, max: 1000 }),
        fc.integer({ min: 0, max: 100 }),
        (value, tolerance) => {
          const result = (value + tolerance) / 10;
          assert.ok(
            passes(
              { at: '', near: { value: value / 10, tolerance: tolerance / 10 } },
              { ...FINISHED, result },
            ),
          );
          const beyond = (value + tolerance + 1) / 10;
          assert.ok(
            !passes(
              { at: '', near: { value: value / 10, tolerance: tolerance / 10 } },
              { ...FINISHED, result: beyond },
            ),
          );
        },
      ),
    );
  });

  it('find IDs among all hits, in any position', () => {
    const hits = Array.from({ length: 700 }, (_, index) => ({ id: `img-${index}`, score: 1 - index / 1000 }));
    const outcome = { ...FINISHED, result: { results: hits } };
    assert.ok(passes({ hitsContain: ['img-3', 'img-699'] }, outcome));
    assert.ok(passes({ at: '/results', hitsContain: ['img-0'] }, outcome));
    const [failed] = checkExpectations([{ hitsContain: ['img-700'] }], outcome);
    assert.deepEqual([failed?.passed, failed?.wanted], [false, 'img-700']);
    assert.ok(!passes({ hitsContain: ['a'] }));
  });

  it('compare costs exactly, and do not pass with an unknown cost', () => {
    assert.ok(passes({ maxCost: 0.002 }) && !passes({ maxCost: 0.0019 }));
    assert.ok(!passes({ maxCost: 1 }, { ...FINISHED, cost: undefined }));
    assert.ok(passes({ maxSeconds: 1.5 }) && !passes({ maxSeconds: 1.4 }));
  });

  it('demand a finished run unless they expect another status', () => {
    const failed: ExpectationOutcome = { ...FINISHED, state: 'failed', status: 422, result: undefined };
    assert.ok(!passes({ maxCost: 1 }, failed));
    assert.ok(passes({ status: 422 }, failed));
    assert.ok(passes({ status: 'failed' }, failed));
    assert.ok(!passes({ status: 'finished' }, failed));
    const [first] = checkExpectations([{ maxCost: 1 }], { ...FINISHED, state: 'unknown' });
    assert.deepEqual([first?.pointer, first?.got], ['', 'unconfirmed']);
  });

  it('equal their source, and never throw', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(json, json, fc.string(), (result, other, text) => {
        assert.ok(passes({ at: '', equals: result }, { ...FINISHED, result }));
        const all = {
          at: text,
          equals: other,
          contains: other,
          oneOf: [other],
          schema: true,
          matches: text,
          hitsContain: [text],
        };
        checkExpectations([all], { ...FINISHED, result });
      }),
    );
  });
});
