import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ErrorKind, FailureDetails, FailureReason } from '../../../src/domain/failure';
import type { RequestFault } from '../../../src/domain/requestFaults';
import { ServiceError } from '../../../src/service/errors';
import {
  acceptedText,
  baseUrlText,
  incompleteText,
  messageOf,
  nextStepOf,
} from '../../../src/wording/errors';

/** Text of a service, a system or a user: marked, so that it is known from our own words. */
const text = fc.string({ maxLength: 100 }).map((value) => `⟦${value}⟧`);
const money = fc.record({ amount: fc.nat().map(String), currency: fc.constantFrom('USD', 'credits') });
const environment = fc.record({ name: text, baseUrl: fc.webUrl() });
const constant = <const T>(...values: T[]) => fc.constantFrom(...values);

/** Every fault and reason by its name: a new one does not compile until it is listed here. */
const faults: { [Name in RequestFault['fault']]: fc.Arbitrary<RequestFault & { fault: Name }> } = {
  managed: fc.record({ fault: constant('managed'), field: constant('alias', 'hardware_tier') }),
  misnamedParams: fc.record({ fault: constant('misnamedParams'), field: constant('parameters') }),
  notJson: fc.record({ fault: constant('notJson') }),
  localFile: fc.constant({ fault: 'localFile' as const }),
  prototypeName: fc.constant({ fault: 'prototypeName' as const }),
  unknownField: fc.record({ fault: constant('unknownField'), field: text, known: fc.array(text) }),
  type: fc.record({ fault: constant('type'), field: text, expected: constant('string', 'object') }),
  missing: fc.record({ fault: constant('missing'), field: constant('model', 'mode') }),
  scope: fc.record({
    fault: constant('scope'),
    scope: text,
    problem: constant('missing', 'tooLong', 'badStart', 'badCharacter'),
  }),
};
const fault = fc.oneof(...Object.values(faults)) as fc.Arbitrary<RequestFault>;
const alone = <const Name extends string>(reason: Name) => fc.record({ reason: constant(reason) });
const refused = fc.record({
  address: fc.webUrl(),
  why: fc.constantFrom('notAnAddress' as const, 'otherOrigin' as const, 'insecure' as const),
});

const reasons: { [Name in FailureReason['reason']]: fc.Arbitrary<FailureReason & { reason: Name }> } = {
  noEnvironment: alone('noEnvironment'),
  noKey: fc.record({ reason: constant('noKey'), environment }),
  keyLost: fc.record({ reason: constant('keyLost'), environment }),
  keyReplaced: fc.record({ reason: constant('keyReplaced'), environment }),
  keyOfOtherOrigin: fc.record({ reason: constant('keyOfOtherOrigin'), environment }),
  keyUnreadable: fc.record({ reason: constant('keyUnreadable'), cause: fc.oneof(text, constant('')) }),
  environmentGone: fc.record({ reason: constant('environmentGone'), environment }),
  notAllowed: fc.record({ reason: constant('notAllowed'), environment }),
  keyFault: fc.record({ reason: constant('keyFault'), fault: constant('quotes', 'scheme', 'characters') }),
  runsOnly: alone('runsOnly'),
  invalidHttp: fc.record({ reason: constant('invalidHttp'), detail: text }),
  webPage: alone('webPage'),
  notSentInTime: alone('notSentInTime'),
  baseUrl: fc.record({
    reason: constant('baseUrl'),
    problem: constant('notAnAddress', 'credentials', 'query', 'insecure'),
  }),
  otherCurrency: fc.record({ reason: constant('otherCurrency'), cost: money, limit: money }),
  modelName: fc.record({ reason: constant('modelName'), model: text }),
  request: fc.record({ reason: constant('request'), fault }),
  commandArgument: fc.record({
    reason: constant('commandArgument'),
    fault: fc.option(fault, { nil: undefined }),
  }),
  fileChanged: fc.record({ reason: constant('fileChanged'), file: text }),
  fileUnreadable: fc.record({
    reason: constant('fileUnreadable'),
    file: text,
    cause: fc.oneof(text, constant('')),
  }),
  uploadRejected: fc.record({
    reason: constant('uploadRejected'),
    host: text,
    status: fc.integer({ min: 400, max: 599 }),
  }),
  connection: fc.record({
    reason: constant('connection'),
    host: fc.domain(),
    code: constant(
      ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'PROXY_407', 'PROXY', 'ECONNRESET', undefined],
      ...['ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ),
    cause: fc.oneof(text, constant('')),
  }),
  proxy: fc.record({
    reason: constant('proxy'),
    problem: constant('unreadable', 'unsupported', 'failed'),
    proxy: fc.record({ address: fc.webUrl(), source: constant('http.proxy', 'HTTPS_PROXY') }),
    host: fc.domain(),
    code: constant('ENOTFOUND', 'ECONNREFUSED', 'PROXY_407', 'PROXY', undefined),
    cause: fc.oneof(text, constant('')),
  }),
  connectionLost: alone('connectionLost'),
  timeLimit: alone('timeLimit'),
  stoppedWaiting: alone('stoppedWaiting'),
  redirect: fc.record({ reason: constant('redirect'), target: fc.option(fc.webUrl(), { nil: undefined }) }),
  tooLarge: alone('tooLarge'),
  noCatalog: alone('noCatalog'),
  noUploadUrl: alone('noUploadUrl'),
  uploadForm: alone('uploadForm'),
  unsafeUploadUrl: fc.record({ reason: constant('unsafeUploadUrl'), refused }),
  noMediaRef: alone('noMediaRef'),
  noModel: fc.record({ reason: constant('noModel'), model: text }),
  encodedSlash: fc.record({ reason: constant('encodedSlash'), model: text }),
  nextPageElsewhere: fc.record({ reason: constant('nextPageElsewhere'), refused }),
  budget: fc.record({
    reason: constant('budget'),
    budget: constant('session', 'workspace'),
    limit: money,
    taken: money,
    expected: fc.option(money, { nil: undefined }),
  }),
  jobCannotPay: alone('jobCannotPay'),
  agentReserve: alone('agentReserve'),
  agentStopped: alone('agentStopped'),
  quotaUsedUp: alone('quotaUsedUp'),
  notConfirmed: fc.record({ reason: constant('notConfirmed'), environment }),
};

const kinds: { readonly [Kind in ErrorKind]: true } = {
  notConnected: true,
  badKey: true,
  noPermission: true,
  cannotPay: true,
  notFound: true,
  invalidRequest: true,
  conflict: true,
  rateLimited: true,
  serviceFailing: true,
  unreachable: true,
  timedOut: true,
  cancelled: true,
  unreadableResponse: true,
  outcomeUnknown: true,
  budgetReached: true,
};
const facts: fc.Arbitrary<FailureDetails> = fc.record(
  {
    status: fc.integer({ min: 100, max: 599 }),
    serviceMessage: text,
    requestId: text,
    retryAtMs: fc.integer({ min: 0, max: 4e12 }),
  },
  { requiredKeys: [] },
);

describe('The message of a failure', () => {
  for (const kind of Object.keys(kinds) as ErrorKind[])
    it(`contains a sentence for ${kind}, with any details`, () => {
      fc.assert(fc.property(facts, (details) => reads(new ServiceError(kind, details))));
    });

  for (const [name, reason] of Object.entries(reasons))
    it(`contains a sentence for ${name}, with its facts filled in`, () => {
      const any = fc.tuple(fc.constantFrom(...(Object.keys(kinds) as ErrorKind[])), facts, reason);
      fc.assert(
        fc.property(any, ([kind, details, why]) => reads(new ServiceError(kind, { ...details, why }))),
      );
    });

  it('contains the service’s own message, and the next step for a run whose outcome is unknown', () => {
    const said = messageOf(new ServiceError('conflict', { status: 409, serviceMessage: 'Not today.' }));
    assert.equal(said, 'Conflict with the service’s current state. Service message: “Not today.”');
    const unknown = messageOf(new ServiceError('outcomeUnknown', { why: { reason: 'connectionLost' } }));
    assert.match(unknown, /may have been executed and charged\..* Check Usage before running again\.$/);
    assert.equal(
      nextStepOf(new ServiceError('outcomeUnknown', { why: { reason: 'redirect' } })),
      'showUsage',
    );
  });

  it('leads from a sandbox that cannot be reached, or has no key, to its start', () => {
    const stepIn = (name: string, baseUrl: string, error: ServiceError) => {
      error.environment = { name, baseUrl };
      return nextStepOf(error);
    };
    const sandbox = ['Sandbox', 'http://127.0.0.1:8120'] as const;
    for (const kind of ['unreachable', 'badKey'] as const)
      assert.equal(stepIn(...sandbox, new ServiceError(kind)), 'startSandbox', kind);
    assert.equal(stepIn(...sandbox, new ServiceError('serviceFailing')), 'retry');
    assert.equal(stepIn(...sandbox, new ServiceError('outcomeUnknown')), 'showUsage');
    for (const [name, baseUrl] of [
      ['Mine', sandbox[1]],
      ['Sandbox', 'https://models.example'],
    ] as const) {
      assert.equal(stepIn(name, baseUrl, new ServiceError('unreachable')), 'retry');
      assert.equal(stepIn(name, baseUrl, new ServiceError('badKey')), 'setApiKey');
    }
  });

  it('names amounts with their currency, in the given language', () => {
    const usd = (amount: string) => ({ amount, currency: 'USD' });
    const why = { reason: 'budget', budget: 'session', limit: usd('1.5'), taken: usd('1.2') } as const;
    const error = new ServiceError('budgetReached', { why: { ...why, expected: usd('0.4') } });
    assert.match(messageOf(error, 'en'), /\(\$1\.50\).*\$1\.20 is spent.*cost \$0\.40\. Nothing was sent\.$/);
    assert.match(messageOf(error, 'de'), /1,50\s\$/);
  });

  it('contains an error’s own text when it is no failure of the service, and is never empty', () => {
    assert.equal(messageOf(new Error('The disk is full.')), 'The disk is full.');
    for (const odd of [undefined, null, 0, {}, new Error(''), 'text']) {
      assert.match(messageOf(odd), /The log has the details\.$/);
      assert.equal(nextStepOf(odd), 'showLog');
    }
  });

  it('never repeats the text that is for the log', () => {
    const error = new ServiceError('serviceFailing', { status: 502, serviceMessage: 'Bad gateway' });
    assert.match(error.message, /serviceFailing .*502.*Bad gateway/);
    assert.doesNotMatch(messageOf(error), /serviceFailing/);
  });
});

describe('The messages for a base URL and for an incomplete list', () => {
  it('contain a sentence for each problem', () => {
    for (const problem of ['notAnAddress', 'credentials', 'query', 'insecure'] as const)
      isSentence(baseUrlText(problem));
    assert.match(baseUrlText({ missesScheme: 'http://localhost:1' }), /Enter .*: http:\/\/localhost:1$/);
    for (const reason of ['noAddress', 'pageUnreadable', 'repeats'] as const)
      isSentence(incompleteText({ reason }));
    const failure = { kind: 'serviceFailing', details: { status: 500 } } as const;
    isSentence(incompleteText({ reason: 'pageFailed', failure }));
    isSentence(acceptedText({ notFollowed: { reason: 'failed', failure } }));
    for (const why of ['notAnAddress', 'otherOrigin', 'insecure'] as const) {
      const named = { reason: 'refusedAddress', refused: { address: 'https://a.example/x', why } } as const;
      for (const words of [incompleteText(named), acceptedText({ notFollowed: named })]) {
        isSentence(words);
        assert.match(words, /https:\/\/a\.example\/x/);
      }
    }
    isSentence(incompleteText({ reason: 'tooManyPages', pages: 500 }));
    isSentence(incompleteText({ reason: 'fewer', received: 20, total: 37 }));
  });
});

function reads(error: ServiceError): void {
  // Text from outside is shown unchanged; the rest must be sentences of ours.
  isSentence(messageOf(error, 'en').replace(/⟦[^⟧…]*(⟧|…)/g, 'x'));
  assert.notEqual(nextStepOf(error), undefined);
}

function isSentence(words: string): void {
  assert.doesNotMatch(words, /undefined|\[object|\{\d\}|NaN/);
  assert.match(words, /[A-Za-z]+ .*[a-z]+/, `“${words}” says nothing`);
  assert.match(words, /[.?”}x]$/, `“${words}” does not end`);
}
