import assert from 'node:assert/strict';
import { type NetworkSettings, ProxySettingError, proxyFor } from '../../../src/service/network';

const P = 'http://proxy.test:3128';
const routeOf = (url: string, settings: NetworkSettings) => proxyFor(new URL(url), settings);
const addressOf = (url: string, settings: NetworkSettings) => routeOf(url, settings)?.url;

/** Whether an address is reached without the proxy, under the exemptions of the settings or of the environment. */
const isDirect = (url: string, ...noProxy: readonly string[]) => {
  const [bySettings, byEnvironment] = [
    routeOf(url, { proxy: P, noProxy }),
    routeOf(url, { proxy: P, env: { NO_PROXY: noProxy.join(',') } }),
  ];
  assert.deepEqual(bySettings, byEnvironment, `${url} ${noProxy}: settings and environment differ`);
  return bySettings === undefined;
};

describe('The choice of a proxy', () => {
  it('prefers the settings to the environment, and chooses none while proxies are off', () => {
    const env = { HTTPS_PROXY: 'http://env.test:1', ALL_PROXY: 'http://all.test:2' };
    for (const proxySupport of ['on', 'fallback', 'override', undefined] as const)
      assert.equal(addressOf('https://a.test', { proxy: P, env, proxySupport }), P);
    assert.equal(addressOf('https://a.test', { proxy: P, env, proxySupport: 'off' }), undefined);
    for (const proxy of ['', '   ', undefined])
      assert.equal(addressOf('https://a.test', { proxy, env }), 'http://env.test:1', 'one that is not set');
  });

  it('fails for one that is unreadable or of another kind, instead of choosing none', () => {
    const errorOf = (settings: NetworkSettings) => {
      try {
        return routeOf('https://a.test', settings);
      } catch (error) {
        assert.ok(error instanceof ProxySettingError);
        return [error.problem, error.facts.source, error.facts.address];
      }
    };
    for (const [proxy, shown] of [
      ['http://me:pa#ss@127.0.0.1:1', 'http://…@127.0.0.1:1'],
      ['p@ss#@', '…@'],
      ['PROXY 127.0.0.1:1', 'PROXY 127.0.0.1:1'],
      ['http:/127.0.0.1:1', 'http:/127.0.0.1:1'],
      ['http://', 'http://'],
      ['a b', 'a b'],
      ['http://[', 'http://['],
      ['proxy.test:99999', 'proxy.test:99999'],
      ['http://proxy.test/some.pac', 'http://proxy.test/some.pac'],
    ] as const) {
      assert.deepEqual(errorOf({ proxy }), ['unreadable', 'http.proxy', shown]);
      assert.deepEqual(errorOf({ env: { https_proxy: proxy } }), ['unreadable', 'https_proxy', shown]);
      assert.equal(errorOf({ proxy, noProxy: ['a.test'] }), undefined);
      assert.equal(errorOf({ proxy, proxySupport: 'off' }), undefined);
    }
    for (const scheme of ['socks', 'socks4', 'socks5', 'socks5h', 'svn+ssh.x2'])
      assert.deepEqual(errorOf({ env: { ALL_PROXY: `${scheme}://me:secret@proxy.test:1080` } }), [
        'unsupported',
        'ALL_PROXY',
        `${scheme}://proxy.test:1080`,
      ]);
  });
});

describe('The authorization for a proxy', () => {
  const authorizationOf = (settings: NetworkSettings) => {
    const route = routeOf('https://a.test', settings);
    assert.ok(route);
    return route.authorization;
  };

  it('comes only from http.proxyAuthorization', () => {
    assert.equal(authorizationOf({ proxy: P }), undefined);
    assert.equal(authorizationOf({ proxy: P, proxyAuthorization: '  ' }), undefined);
    assert.equal(authorizationOf({ proxy: P, proxyAuthorization: ' Basic abc ' }), 'Basic abc');
    const proxy = 'http://me@proxy.test';
    assert.equal(
      authorizationOf({ proxy, proxyAuthorization: 'Bearer x' }),
      'Bearer x',
      'before its address',
    );
  });
});

describe('An address that needs no proxy', () => {
  it('includes this computer, always', () => {
    for (const host of 'localhost LOCALHOST a.localhost 127.0.0.1 127.200.3.4 [::1] 127.1'.split(' '))
      for (const scheme of ['http', 'https']) assert.ok(isDirect(`${scheme}://${host}:8080`), host);
    for (const host of 'notlocalhost localhost.test 128.0.0.1 127.0.0.1.test [::2] a127.0.0.1.test'.split(
      ' ',
    ))
      assert.ok(!isDirect(`https://${host}`), host);
  });

  it('matches a host and the names below it, and no other with the same ending', () => {
    for (const entry of ['a.test', '.a.test', '*.a.test', 'A.TEST']) {
      for (const host of ['a.test', 'b.a.test', 'c.b.a.test', 'B.A.test'])
        assert.ok(isDirect(`https://${host}`, entry), `${host} ${entry}`);
      for (const host of ['ba.test', 'a.test.b', 'test', 'a.tests'])
        assert.ok(!isDirect(`https://${host}`, entry), `${host} ${entry}`);
    }
    assert.ok(!isDirect('https://x-a.test', '-a.test'));
    assert.ok(!isDirect('https://b.a.test', 'x*.a.test'));
  });

  it('matches a network of IPv4, to its last bit', () => {
    for (const [entry, inside, outside] of [
      ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
      ['10.1.2.0/23', ['10.1.2.0', '10.1.3.255'], ['10.1.1.255', '10.1.4.0']],
      ['192.0.2.7/32', ['192.0.2.7'], ['192.0.2.6', '192.0.2.8']],
      ['192.168.100.128/25', ['192.168.100.128', '192.168.100.255'], ['192.168.100.127', '192.168.101.128']],
      ['0.0.0.0/0', ['192.0.2.1', '10.0.0.1'], ['a.test', '[fd00::1]']],
    ] as const) {
      for (const host of inside) assert.ok(isDirect(`https://${host}`, entry), `${host} ${entry}`);
      for (const host of outside) assert.ok(!isDirect(`https://${host}`, entry), `${host} ${entry}`);
    }
    assert.ok(!isDirect('https://10.a.test', '10.0.0.0/8'), 'a name');
  });
});
