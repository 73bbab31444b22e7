import assert from 'node:assert/strict';
import fc from 'fast-check';
import { namedAddress } from '../../../src/intake/namedAddress';

const GATEWAY = 'https://gw.example/tenant-a';

function at(text: string, asked = '/api/runs', baseUrl = GATEWAY, elsewhere = false) {
  const { url, refused } = namedAddress(text, { asked: new URL(baseUrl + asked), baseUrl, elsewhere });
  return url?.href ?? refused?.why;
}

describe('An address that a response names', () => {
  it('belongs below the base URL when it begins with /api', () => {
    for (const text of [
      ...'/api/runs/r9?x=1#part /tenant-a/api/runs/r9?x=1 https://gw.example/api/runs/r9?x=1'.split(' '),
      ...'http://gw.example/api/runs/r9?x=1 http://gw.example:80/tenant-a/api/runs/r9?x=1'.split(' '),
      ...'runs/r9?x=1'.split(' '),
    ])
      assert.equal(at(text), `${GATEWAY}/api/runs/r9?x=1`, text);
    assert.equal(at('/download/1'), 'https://gw.example/download/1');
    assert.equal(at('/apian/1'), 'https://gw.example/apian/1');
    assert.equal(at('/api/x', '/api/runs', 'https://a.example'), 'https://a.example/api/x');
  });

  it('resolves to the base URL if it names an inner host and the same resource', () => {
    for (const text of [
      ...'http://runs-svc.internal:8000/api/runs/r9 http://runs/tenant-a/api/runs/r9'.split(' '),
      ...'https://10.1.2.3/api/runs/r9 http://[fd00::1]:8000/api/runs/r9'.split(' '),
      ...'http://gw.example:8000/api/runs/r9'.split(' '),
    ])
      assert.equal(at(text), `${GATEWAY}/api/runs/r9`, text);
    for (const text of [
      ...'http://runs-svc.internal:8000/api/jobs/r9 http://runs-svc.internal:8000/v1/runs/r9'.split(' '),
      ...'https://other.example/api/runs/r9 https://8.8.8.8/api/runs/r9'.split(' '),
      ...'ftp://gw.example/api/runs/r9'.split(' '),
    ])
      assert.equal(at(text), 'otherOrigin', text);
    assert.equal(at('https://['), 'notAnAddress');
  });

  it('leads an upload to a store only by https, or on this computer', () => {
    const upload = (text: string, baseUrl = GATEWAY) => at(text, '/api/media/upload/init', baseUrl, true);
    assert.equal(upload('https://minio.internal/b?sig=1'), 'https://minio.internal/b?sig=1');
    assert.equal(upload('http://store.example/b'), 'insecure');
    assert.equal(upload('http://media.internal:9000/api/media/u1'), `${GATEWAY}/api/media/u1`);
    const local = 'http://localhost:9000';
    assert.equal(upload('http://127.0.0.1:9001/api/media/u1', local), 'http://127.0.0.1:9001/api/media/u1');
  });

  it('resolves to the origin of the base URL or fails, for any text', () => {
    const odd = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.string(),
      fc
        .tuple(
          fc.constantFrom('http:', 'https:', '', '/', '\\\\'),
          fc.constantFrom('//', '/', ''),
          fc.string(),
        )
        .map((parts) => parts.join('')),
      fc.domain().map((name) => `http://${name}/api/runs/1`),
    );
    const bases = fc.constantFrom(
      GATEWAY,
      'https://a.example',
      'https://a.example:8443/x',
      'http://localhost:9',
    );
    fc.assert(
      fc.property(odd, bases, (text, baseUrl) => {
        const asked = new URL(`${baseUrl}/api/runs`);
        const { url } = namedAddress(text, { asked, baseUrl });
        assert.ok(url === undefined || url.origin === new URL(baseUrl).origin);
        const store = namedAddress(text, { asked, baseUrl, elsewhere: true }).url;
        assert.ok(
          store === undefined || store.protocol === 'https:' || baseUrl.startsWith('http://localhost'),
        );
      }),
    );
  });
});
