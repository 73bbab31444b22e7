import assert from 'node:assert/strict';
import type { ErrorKind } from '../../../src/domain/failure';
import { type Consequence, consequenceOf, isAbort, stopReasonOf } from '../../../src/jobs/consequence';
import { ServiceError } from '../../../src/service/errors';

/** What is free, and what is paid: of each kind the compiler asks for both. */
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

describe('What an error of a request means for its job', () => {
  for (const [kind, [prepare, run]] of Object.entries(TABLE))
    it(`is ${run} for a run and ${prepare} for what comes before it: ${kind}`, () => {
      const error = new ServiceError(kind as ErrorKind);
      assert.equal(consequenceOf(error, 'run'), run);
      assert.equal(consequenceOf(error, 'prepare'), prepare);
    });

  it('is not sent, of whatever kind, when the time ended before it left', () => {
    const error = new ServiceError('timedOut', { why: { reason: 'notSentInTime' } });
    assert.equal(consequenceOf(error, 'run'), 'notSent');
    assert.equal(consequenceOf(error, 'prepare'), 'notSent');
    assert.equal(
      consequenceOf(new ServiceError('timedOut', { why: { reason: 'tooLarge' } }), 'run'),
      'unknown',
    );
  });

  it('proves nothing of a run, unless it is one of the client’s own', () => {
    for (const error of [new Error('disk'), named('AbortError'), named('Canceled'), 'text', undefined])
      assert.equal(consequenceOf(error, 'run'), 'unknown');
  });

  it('of a preparation is one of the item alone, unless it was stopped', () => {
    assert.equal(consequenceOf(new Error('gone'), 'prepare'), 'rejected');
    assert.equal(consequenceOf('text', 'prepare'), 'rejected');
    assert.equal(consequenceOf(named('AbortError'), 'prepare'), 'notSent');
    assert.equal(consequenceOf(named('Canceled'), 'prepare'), 'notSent');
  });

  it('is an abort by its name and nothing else', () => {
    assert.ok(isAbort(named('AbortError')) && isAbort(named('Canceled')));
    assert.ok(!isAbort(named('Error')) && !isAbort({ name: 'AbortError' }) && !isAbort(undefined));
  });
});

describe('Why a job paused by itself', () => {
  const money = { amount: '1', currency: 'USD' };

  it('is in words, with what can be done about it', () => {
    const { reason, nextStep, ...more } = stopReasonOf(new ServiceError('badKey', { status: 401 }));
    assert.match(reason, /key/i);
    assert.equal(nextStep, 'setApiKey');
    assert.deepEqual(more, {});
  });

  it('spares what the budget had admitted, where it was the budget', () => {
    const budget = { reason: 'budget', budget: 'session', limit: money, taken: money } as const;
    assert.equal(stopReasonOf(new ServiceError('budgetReached', { why: budget })).sparesAdmitted, true);
    const others = [
      new ServiceError('budgetReached', { why: { reason: 'jobCannotPay' } }),
      new ServiceError('budgetReached'),
      new ServiceError('cannotPay', { why: budget }),
    ];
    for (const other of others) assert.ok(!('sparesAdmitted' in stopReasonOf(other)), other.message);
  });

  it('is only words where the error is not of the client', () => {
    assert.deepEqual(Object.keys(stopReasonOf(new Error('disk'))), ['reason']);
  });
});
