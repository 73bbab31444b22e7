import assert from 'node:assert/strict';
import type { ErrorKind } from '../../../src/domain/failure';
import { type Consequence, errorConsequence, errorStopReason } from '../../../src/jobs/consequence';
import { ServiceError } from '../../../src/service/errors';

/** The consequence before a free and before a paid request: the compiler asks for both of each kind. */
const TABLE: Readonly<Record<ErrorKind, readonly [prepare: Consequence, run: Consequence]>> = {
  notConnected: ['stop', 'stop'],
  badKey: ['stop', 'stop'],
  noPermission: ['stop', 'stop'],
  cannotPay: ['stop', 'stop'],
  notFound: ['stop', 'stop'],
  budgetReached: ['stop', 'stop'],
  rateLimited: ['notSent', 'notSent'],
  cancelled: ['notSent', 'notSent'],
  unreachable: ['retry', 'retry'],
  serviceFailing: ['retry', 'unknown'],
  timedOut: ['retry', 'unknown'],
  unreadableResponse: ['retry', 'unknown'],
  invalidRequest: ['rejected', 'rejected'],
  conflict: ['rejected', 'rejected'],
  outcomeUnknown: ['unknown', 'unknown'],
};

const named = (name: string) => Object.assign(new Error('stopped'), { name });

describe('The consequence of a request’s error', () => {
  for (const [kind, [prepare, run]] of Object.entries(TABLE))
    it(`equals ${run} for a run and ${prepare} for a preparation: ${kind}`, () => {
      const error = new ServiceError(kind as ErrorKind);
      assert.equal(errorConsequence(error, 'run'), run);
      assert.equal(errorConsequence(error, 'prepare'), prepare);
    });

  it('equals notSent for every kind, when the time ended before it left', () => {
    const error = new ServiceError('timedOut', { why: { reason: 'notSentInTime' } });
    assert.equal(errorConsequence(error, 'run'), 'notSent');
    assert.equal(errorConsequence(error, 'prepare'), 'notSent');
    assert.equal(
      errorConsequence(new ServiceError('timedOut', { why: { reason: 'tooLarge' } }), 'run'),
      'unknown',
    );
  });

  it('proves nothing of a run, unless it is one of the client’s own', () => {
    for (const error of [new Error('disk'), named('AbortError'), named('Canceled'), 'text', undefined])
      assert.equal(errorConsequence(error, 'run'), 'unknown');
  });

  it('concerns the item alone for a preparation, unless it was stopped', () => {
    assert.equal(errorConsequence(new Error('gone'), 'prepare'), 'rejected');
    assert.equal(errorConsequence('text', 'prepare'), 'rejected');
    assert.equal(errorConsequence(named('AbortError'), 'prepare'), 'notSent');
    assert.equal(errorConsequence(named('Canceled'), 'prepare'), 'notSent');
  });
});

describe('Why a job paused by itself', () => {
  const money = { amount: '1', currency: 'USD' };

  it('contains a text and the next step', () => {
    const { reason, nextStep, ...more } = errorStopReason(new ServiceError('badKey', { status: 401 }));
    assert.match(reason, /key/i);
    assert.equal(nextStep, 'setApiKey');
    assert.deepEqual(more, {});
  });

  it('spares runs that the budget had admitted, when the budget was the reason', () => {
    const budget = { reason: 'budget', budget: 'session', limit: money, taken: money } as const;
    assert.equal(errorStopReason(new ServiceError('budgetReached', { why: budget })).sparesAdmitted, true);
    const others = [
      new ServiceError('budgetReached', { why: { reason: 'jobCannotPay' } }),
      new ServiceError('budgetReached'),
      new ServiceError('cannotPay', { why: budget }),
    ];
    for (const other of others) assert.ok(!('sparesAdmitted' in errorStopReason(other)), other.message);
  });
});
