import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/errors';
import {
  causeText,
  connectionFailure,
  invalidRequest,
  kindOfStatus,
  rejected,
  unreachable,
  unreadable,
} from '../../../src/service/failures';
import { rawOf } from '../../support/rawOf';

describe('An error of the client', () => {
  it('is of the kind that its status stands for', () => {
    const kinds = {
      ...{ 401: 'badKey', 402: 'cannotPay', 403: 'noPermission', 404: 'notFound', 410: 'notFound' },
      ...{
        408: 'timedOut',
        409: 'conflict',
        429: 'rateLimited',
        500: 'serviceFailing',
        503: 'serviceFailing',
      },
      ...{ 599: 'serviceFailing', 400: 'invalidRequest', 422: 'invalidRequest', 499: 'invalidRequest' },
      ...{ 399: 'unreadableResponse', 304: 'unreadableResponse', 100: 'unreadableResponse' },
    };
    for (const [status, kind] of Object.entries(kinds)) {
      assert.equal(kindOfStatus(Number(status)), kind, status);
      assert.equal(rejected(rawOf({}, Number(status))).kind, kind, status);
    }
  });

  it('has what the response says: its status, its message, its request ID, and itself', () => {
    const raw = rawOf({ error: { message: 'no such model' } }, 404, { 'x-request-id': 'req-1' });
    const { details } = rejected(raw);
    assert.deepEqual(details, { status: 404, serviceMessage: 'no such model', requestId: 'req-1', raw });
    assert.equal(rejected(raw, 1234).details.retryAtMs, 1234);
    assert.equal(rejected(raw, 0).details.retryAtMs, 0);
    const why = { reason: 'noUploadUrl' } as const;
    const unread = unreadable(why, raw);
    assert.deepEqual([unread.kind, unread.details], ['unreadableResponse', { ...details, why }]);
    assert.deepEqual(unreadable(why).details, { why });
  });

  it('of a request that cannot be sent says why', () => {
    const why = { reason: 'modelName', model: 'm' } as const;
    const cause = new Error('x');
    const error = invalidRequest(why, cause);
    assert.deepEqual([error.kind, error.details.why, error.cause], ['invalidRequest', why, cause]);
  });

  it('of a connection has its host, the code of the system and its words', () => {
    const cause = Object.assign(new Error('connect\n  ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const why = { reason: 'connection', host: 'h.test', code: 'ECONNREFUSED', cause: 'connect ECONNREFUSED' };
    assert.deepEqual(connectionFailure('h.test', cause), why);
    const error = unreachable('h.test', cause);
    assert.deepEqual([error.kind, error.details.why, error.cause], ['unreachable', why, cause]);
  });

  it('tells the log its kind and what is known, in one line', () => {
    assert.equal(new ServiceError('cancelled').message, 'cancelled');
    assert.equal(new ServiceError('cancelled', { cause: new Error('x') }).message, 'cancelled');
    const details = { status: 404, serviceMessage: 'no', requestId: 'r', raw: rawOf({ secret: 1 }) };
    const { name, message } = new ServiceError('notFound', {
      ...details,
      why: { reason: 'noModel', model: 'm' },
    });
    assert.equal(name, 'ServiceError');
    assert.equal(
      message,
      'notFound {"status":404,"serviceMessage":"no","requestId":"r","reason":"noModel","model":"m"}',
    );
    assert.equal(new ServiceError('notFound', { status: 404 }).message, 'notFound {"status":404}');
  });
});

describe('The words of a cause', () => {
  it('are its message in one short line, else its code, else nothing', () => {
    assert.equal(causeText(new Error('two\n\t lines')), 'two lines');
    assert.equal(causeText(new Error('x'.repeat(300))), 'x'.repeat(200));
    assert.equal(causeText(Object.assign(new Error(''), { code: 'EPIPE' })), 'EPIPE');
    assert.equal(causeText({ code: 'EPIPE', message: 'not an error' }), 'EPIPE');
    for (const nothing of [undefined, null, 'text', {}, new Error('')]) assert.equal(causeText(nothing), '');
  });

  it('are those of the first of several', () => {
    assert.equal(causeText(new AggregateError([new Error('one'), new Error('two')], 'all')), 'one');
    assert.equal(causeText(new AggregateError([], 'all')), 'all');
    assert.equal(causeText(new AggregateError([new AggregateError([new Error('inner')])])), 'inner');
    const code = Object.assign(new Error(''), { code: 'ENETUNREACH' });
    assert.equal(causeText(new AggregateError([code, new Error('two')])), 'ENETUNREACH');
  });
});
