import assert from 'node:assert/strict';
import { messageOf } from '../../../src/wording/errors';
import { whyWaitingText } from '../../../src/wording/waiting';
import { callOf, FakeService } from '../../support/fakeService';
import { failureOf } from '../../support/serviceClient';

const QUOTA = {
  error: {
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
};

describe('A 429 that says that a quota is used up', () => {
  it('ends its request and waiting ones at once, with the sentence of the service', async () => {
    const service = new FakeService();
    const exchange = service.exchange();
    const failure = failureOf(exchange.send(callOf('run')), 'cannotPay');
    await service.pass();
    await service.last.respond(429, { 'x-should-retry': 'false' }, QUOTA);
    const error = await failure;
    assert.match(messageOf(error), /quota of this API key is used up.*“You exceeded your current quota/);
    assert.equal(service.requests.length, 1);
    assert.equal(exchange.throttle.state.pausedUntilMs, undefined);
  });
});

describe('A pause after a 429', () => {
  it('keeps the sentence of the service for as long as it lasts', async () => {
    const service = new FakeService();
    const exchange = service.exchange();
    void exchange.send(callOf('run', { bulk: true }));
    await service.pass();
    await service.last.respond(429, { 'retry-after': '5' }, { message: 'At most 3 runs a second.' });
    await service.pass();
    const { serviceMessage, reason } = exchange.throttle.state;
    assert.equal(
      whyWaitingText({ serviceMessage, reason }),
      'The service limits the rate of requests. Service message: “At most 3 runs a second.”',
    );
    assert.equal(exchange.throttle.bulk.pause?.serviceMessage, 'At most 3 runs a second.');
    await service.pass(6_000);
    await service.last.respond(429, { 'retry-after': '5' });
    await service.pass();
    assert.equal(exchange.throttle.state.serviceMessage, undefined);
  });
});
