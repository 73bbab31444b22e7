import assert from 'node:assert/strict';
import { usePanels } from '../support/panels/usePanels';

describe('The network settings of VS Code', () => {
  const suite = usePanels({
    settings: { 'http.proxy': ' ', 'http.noProxy': ['a.test', 5], 'http.proxyStrictSSL': false },
  });

  it('reach the transport with their present values, without values of other kinds', async () => {
    const { panels } = suite;
    // After the window, which gives it VS Code's module.
    const { networkSettings } = await import('../../src/connection/network');
    const read = () => {
      const { proxy, proxySupport, strictSsl, noProxy, systemCertificates } = networkSettings();
      return { proxy, proxySupport, strictSsl, noProxy, systemCertificates };
    };
    assert.deepEqual(read(), {
      ...{ proxy: undefined, proxySupport: undefined, strictSsl: false },
      ...{ noProxy: ['a.test'], systemCertificates: true },
    });
    panels.changeSettings({
      ...{ 'http.proxy': 'http://p:1', 'http.proxySupport': 'on', 'http.noProxy': 'b.test' },
      ...{ 'http.proxyStrictSSL': true, 'http.systemCertificates': false },
    });
    assert.deepEqual(read(), {
      ...{ proxy: 'http://p:1', proxySupport: 'on', strictSsl: true },
      ...{ noProxy: [], systemCertificates: false },
    });
  });
});
