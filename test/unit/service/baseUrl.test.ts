import assert from 'node:assert/strict';
import { isLoopback } from '../../../src/domain/loopback';
import { parseBaseUrl } from '../../../src/service/baseUrl';

describe('A base address', () => {
  const at = (baseUrl: string, origin: string) => ({ baseUrl, origin });
  const https = 'https://a.test';
  for (const [text, expected] of [
    [https, at(https, https)],
    ['  https://A.test:443/  ', at(https, https)],
    ['https://a.test/api//', at(https, https)],
    ['https://a.test/v1/api/', at('https://a.test/v1', https)],
    ['https://a.test/api/v1', at('https://a.test/api/v1', https)],
    ['https://a.test//x/', at('https://a.test/x', https)],
    ['https://a.test/api/runs', at(https, https)],
    ['https://a.test/gw/api/marketplace/models/', at('https://a.test/gw', https)],
    ['https://a.test/api/runs-of-mine', at('https://a.test/api/runs-of-mine', https)],
    ['http://models.localhost:8080', at('http://models.localhost:8080', 'http://models.localhost:8080')],
    ['localhost:8080', { problem: { missesScheme: 'http://localhost:8080' } }],
    ['[::1]:8080/api', { problem: { missesScheme: 'http://[::1]:8080/api' } }],
    ['models', { problem: 'notAnAddress' }],
    ['https://localhost', at('https://localhost', 'https://localhost')],
    ['', { problem: 'notAnAddress' }],
    ['a.test', { problem: { missesScheme: 'https://a.test' } }],
    ['https://', { problem: 'notAnAddress' }],
    ['https://user@a.test', { problem: 'credentials' }],
    ['https://a.test?x=1', { problem: 'query' }],
    ['https://a.test#x', { problem: 'query' }],
    ['http://a.test', { problem: 'insecure' }],
    ['ftp://a.test', { problem: 'insecure' }],
    ['file:///a', { problem: 'insecure' }],
    ['http://localhost.a.test', { problem: 'insecure' }],
    ['http://my-localhost', { problem: 'insecure' }],
  ] as const)
    it(`${JSON.stringify(text)}: ${'problem' in expected ? JSON.stringify(expected.problem) : expected.baseUrl}`, () =>
      assert.deepEqual(parseBaseUrl(text), expected));

  it('counts as local only by its whole name', () => {
    for (const host of ['localhost', 'a.localhost', 'a.b.localhost', '127.0.0.1', '127.1.22.133', '[::1]'])
      assert.ok(isLoopback(host), host);
    for (const host of [
      'localhosts',
      'xlocalhost',
      '.localhost.test',
      '127.0.0',
      '127.0.0.1.5',
      '127.0.0.1234',
      '127x0x0x1',
      '[::1]x',
      '',
    ])
      assert.ok(!isLoopback(host), host);
  });
});
