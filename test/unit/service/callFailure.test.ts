import assert from 'node:assert/strict';
import { logLine } from '../../../src/domain/logLine';
import type { Call, CallKind } from '../../../src/service/call';
import { withoutResponse } from '../../../src/service/callFailure';
import { TransportFailure } from '../../../src/service/transport';

const aborted = AbortSignal.abort();
const going = new AbortController().signal;
const call = (kind: CallKind, more: Partial<Call> = {}): Call => ({
  kind,
  method: 'POST',
  url: new URL('https://models.example/api/runs'),
  label: logLine`POST /api/runs`,
  ...more,
});
const failed = (
  reason: TransportFailure['reason'],
  mayHaveLeft: boolean,
  cause: unknown = new Error('gone'),
) => new TransportFailure(reason, mayHaveLeft, cause);

const REASONS = ['cancelled', 'silent', 'tooLarge', 'body', 'network'] as const;
const KINDS: readonly CallKind[] = ['read', 'upload', 'run'];
/** Why a call was ended: by its user, by its own time limit, by both, by neither. */
const ENDS: Readonly<Record<string, Partial<Call>>> = {
  nobody: {},
  user: { signal: aborted },
  limit: { deadline: aborted },
  'limit, while the user waits': { deadline: aborted, signal: going },
  both: { deadline: aborted, signal: aborted },
};

describe('A call that got no response', () => {
  it('leaves the outcome unknown for every run whose bytes may have left, and for no other call', () => {
    for (const kind of KINDS)
      for (const reason of REASONS)
        for (const mayHaveLeft of [true, false])
          for (const [by, end] of Object.entries(ENDS)) {
            const error = withoutResponse(call(kind, end), failed(reason, mayHaveLeft));
            // A response that was too large to read is a response: the run was answered.
            const isUnknown = kind === 'run' && mayHaveLeft && reason !== 'tooLarge';
            assert.equal(
              error.kind === 'outcomeUnknown',
              isUnknown,
              `${kind} ${reason} ${mayHaveLeft} ${by}`,
            );
          }
  });

  it('says that the response is not valid HTTP, which a retry does not change', () => {
    const why = (kind: CallKind, code: string, url = 'https://models.example/api/runs') =>
      withoutResponse(
        call(kind, { url: new URL(url) }),
        failed('network', true, Object.assign(new Error('x'), { code })),
      );
    for (const code of ['HPE_INVALID_CONSTANT', 'HPE_CR_EXPECTED', 'UND_ERR_HEADERS_OVERFLOW']) {
      assert.deepEqual(why('run', code).details.why, { reason: 'invalidHttp', detail: 'x' });
      assert.equal(why('run', code).kind, 'outcomeUnknown');
      assert.equal(why('read', code).kind, 'unreadableResponse');
    }
    const plain = why('read', 'HPE_INVALID_CONSTANT', 'http://127.0.0.1:1/api/runs');
    assert.equal(plain.kind, 'unreachable', 'a server of https');
    const cut = Object.assign(new Error('… (Invalid EOF state)'), { name: 'HTTPParserError' });
    const lost = withoutResponse(call('run'), failed('body', true, cut));
    assert.deepEqual(lost.details.why, { reason: 'connectionLost' }, 'cut off between two chunks');
  });

  it('leaves the outcome of a run unknown after an unexpected error', () => {
    const bug = new TypeError('x is not a function');
    const run = withoutResponse(call('run'), bug);
    assert.equal(run.kind, 'outcomeUnknown');
    assert.ok(run.details.why?.reason === 'connection' && run.details.why.host === 'models.example');
    assert.equal(withoutResponse(call('read'), bug).kind, 'unreachable');
  });
});
