import assert from 'node:assert/strict';
import { errorOutcome } from '../../../src/runs/outcome';
import { kindOfStatus, rejected, unreachable } from '../../../src/service/failures';
import { ProxyFailure } from '../../../src/service/network';
import { messageOf } from '../../../src/wording/errors';
import { rawOf } from '../../support/rawOf';

describe('An error of the client', () => {
  it('follows the kind of its status', () => {
    const kinds = {
      ...{ 401: 'badKey', 402: 'cannotPay', 403: 'noPermission', 404: 'notFound', 410: 'notFound' },
      ...{ 408: 'timedOut', 409: 'conflict', 429: 'rateLimited', 500: 'serviceFailing' },
      ...{
        503: 'serviceFailing',
        599: 'serviceFailing',
        400: 'invalidRequest',
        422: 'invalidRequest',
        499: 'invalidRequest',
      },
      ...{ 399: 'unreadableResponse', 304: 'unreadableResponse', 100: 'unreadableResponse' },
    };
    for (const [status, kind] of Object.entries(kinds)) {
      assert.equal(kindOfStatus(Number(status)), kind, status);
      assert.equal(rejected(rawOf({}, Number(status))).kind, kind, status);
    }
  });

  it('does not judge the key by a web page that answers instead of the service', () => {
    const text = '<!doctype html><title>Just a moment...</title>';
    const page = { bytes: new TextEncoder().encode(text), contentType: 'text/html', json: undefined, text };
    for (const status of [401, 403]) {
      const error = rejected({ ...rawOf({}, status), ...page });
      assert.equal(error.kind, 'unreachable');
      assert.match(messageOf(error), /A web page answered .* was not judged/);
      assert.deepEqual(errorOutcome(error), { state: 'failed', billed: false });
    }
  });

  it('names the proxy without its password, and the setting that contains it', () => {
    const url = new URL('https://h.test/api');
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const proxy = { address: 'http://127.0.0.1:1', source: 'HTTPS_PROXY' };
    const error = unreachable(url, new ProxyFailure(proxy, cause));
    assert.deepEqual(error.details.why, {
      ...{ reason: 'proxy', problem: 'failed', proxy, host: 'h.test' },
      ...{ code: 'ECONNREFUSED', cause: 'connect ECONNREFUSED' },
    });
    assert.match(messageOf(error), /^The proxy http:\/\/127\.0\.0\.1:1 \(set in HTTPS_PROXY\) refused/);
  });

  it('suggests the other scheme for TLS on a port without it, and the reverse', () => {
    const say = (address: string, code: string, message: string) =>
      messageOf(unreachable(new URL(address), Object.assign(new Error(message), { code })));
    for (const [code, message] of [
      ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number'],
      ['EPROTO', 'SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER'],
    ] as const)
      assert.match(
        say('https://localhost:8080', code, message),
        /speaks http, not https: try http:\/\/localhost:8080/,
      );
    for (const [code, message] of [
      ['UND_ERR_SOCKET', 'other side closed'],
      ['HPE_INVALID_CONSTANT', 'Expected HTTP/'],
    ] as const)
      assert.match(say('http://localhost:8443', code, message), /try https:\/\/localhost:8443/);
    assert.match(say('https://a.test', 'SELF_SIGNED_CERT_IN_CHAIN', 'x'), /certificate of a\.test could not/);
    assert.doesNotMatch(say('https://a.test', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'x'), /certificate/);
  });
});
