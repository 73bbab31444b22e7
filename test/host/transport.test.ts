import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { networkSettings } from '../../src/connection/network';
import type { createServiceClient } from '../../src/service/createClient';
import { messageOf } from '../../src/vscode/showError';
import { startFaultProxy } from '../support/faultProxy';
import { REQUEST, testClient } from '../support/serviceClient';
import { openTunnel, TUNNELLED_HOST, type Tunnel } from '../support/tunnel';

const DISPATCHERS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];
const globals = globalThis as unknown as Record<symbol, unknown>;

describe('the transport inside the extension host', () => {
  it('leaves the global dispatcher of the extension host unchanged, so that the fetch of others works', async () => {
    const service = await startFaultProxy({ behind: () => ({ body: { status: 'succeeded', output: 1 } }) });
    // Other extensions fetch; the parts of their fetch must stay.
    await fetch(service.url);
    const before = DISPATCHERS.map((key) => globals[key]);
    const client = testClient(service.url, { network: networkSettings });
    assert.equal((await client.run(REQUEST)).state, 'finished');
    assert.deepEqual(
      DISPATCHERS.map((key, index) => globals[key] === before[index]),
      [true, true],
    );
    assert.equal((await fetch(service.url)).status, 200);
    client.close();
    await service.close();
  });

  it('reads the user’s present proxy settings', async () => {
    const http = vscode.workspace.getConfiguration('http');
    await http.update('proxy', 'http://user-proxy.example:3128', vscode.ConfigurationTarget.Global);
    await http.update('noProxy', ['internal.example'], vscode.ConfigurationTarget.Global);
    try {
      const settings = networkSettings();
      assert.equal(settings.proxy, 'http://user-proxy.example:3128');
      assert.deepEqual(settings.noProxy, ['internal.example']);
      assert.equal(settings.strictSsl, true);
    } finally {
      await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      await http.update('noProxy', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.equal(networkSettings().proxy, undefined);
  });
});

/** The packaged service room: parts of undici that the bundle leaves out are missing here too. */
async function shippedClient(): Promise<typeof createServiceClient> {
  const folder = path.join(process.env.MODEL_BENCH_ROOT!, 'dist/host');
  const names = readdirSync(folder);
  const roomOf = (file: string) => import(pathToFileURL(path.join(folder, file)).href);
  const own = names.find((name) => /^createClient-\w+\.js$/.test(name));
  if (own) return (await roomOf(own)).createServiceClient;
  // A package has it in a chunk with more, under another name: as those load it that use it.
  const loading = /import\("\.\/([\w.-]+)"\)\.then\(e=>\(\{[^}]*\bcreateServiceClient:e\.([\w$]+)/;
  const found = names
    .map((name) => loading.exec(readFileSync(path.join(folder, name), 'utf8')))
    .find((one) => one !== null);
  assert.ok(found, 'some file of the package loads the service room');
  const [, chunk = '', name = ''] = found;
  return (await roomOf(chunk))[name];
}

describe('a proxy, for the shipped client inside the extension host', () => {
  let tunnel: Tunnel;
  let asked: { path?: string; key?: unknown }[] = [];
  const http = () => vscode.workspace.getConfiguration('http');
  const changed = new Set<string>();
  const set = async (name: string, value: unknown) => {
    changed.add(name);
    await http().update(name, value, vscode.ConfigurationTarget.Global);
  };
  const variables = new Map<string, string | undefined>();
  const setVariable = (name: string, value: string) => {
    if (!variables.has(name)) variables.set(name, process.env[name]);
    process.env[name] = value;
  };

  before(async () => {
    tunnel = await openTunnel((request, response) => {
      asked.push({ path: request.url, key: request.headers['x-api-key'] });
      request.resume().on('end', () => {
        response.setHeader('Content-Type', 'application/json');
        response.end(request.method === 'POST' ? '{"status":"succeeded","output":1}' : '[{"slug":"m"}]');
      });
    });
  });
  after(() => tunnel?.close());
  afterEach(async () => {
    for (const name of changed) await http().update(name, undefined, vscode.ConfigurationTarget.Global);
    changed.clear();
    for (const [name, value] of variables)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    variables.clear();
    tunnel.connects.length = 0;
    tunnel.wants = undefined;
    asked = [];
  });

  /** Lists the catalog and runs, each over its own kind of connection; resolves to the first problem. */
  const problem = async (): Promise<string | undefined> => {
    const silent = () => undefined;
    const client = (await shippedClient())({
      environment: 'test',
      baseUrl: tunnel.url,
      apiKey: async () => 'mb-key',
      network: networkSettings,
      log: { debug: silent, info: silent, warn: silent },
    });
    try {
      for await (const page of client.listModels({})) assert.equal(page.models[0]?.slug, 'm');
      assert.equal((await client.run(REQUEST)).state, 'finished');
      return undefined;
    } catch (error) {
      return messageOf(error);
    } finally {
      client.close();
    }
  };

  it('tunnels through http.proxy with the system’s certificates, and leaves the dispatcher unchanged', async () => {
    await set('proxy', tunnel.proxy);
    setVariable('SSL_CERT_FILE', tunnel.certificate);
    await fetch('data:,');
    const before = DISPATCHERS.map((key) => globals[key]);
    assert.equal(await problem(), undefined);
    assert.deepEqual(
      DISPATCHERS.map((key, index) => globals[key] === before[index]),
      [true, true],
    );
    // One kept connection for reading, and one for each paid request.
    assert.deepEqual(
      tunnel.connects.map(({ url }) => url),
      [`${TUNNELLED_HOST}:443`, `${TUNNELLED_HOST}:443`],
    );
    assert.deepEqual(asked, [
      { path: '/api/marketplace/models', key: 'mb-key' },
      { path: '/api/runs', key: 'mb-key' },
    ]);
  });

  it('uses the address in HTTPS_PROXY too', async () => {
    setVariable('HTTPS_PROXY', tunnel.proxy);
    setVariable('NODE_EXTRA_CA_CERTS', tunnel.certificate);
    assert.equal(await problem(), undefined);
    assert.ok(tunnel.connects.length > 0);
  });

  it('connects directly for hosts in http.noProxy, and with http.proxySupport off', async () => {
    await set('proxy', tunnel.proxy);
    await set('noProxy', [TUNNELLED_HOST]);
    assert.match((await problem()) ?? '', /was not found|connection to/);
    await set('noProxy', undefined);
    await set('proxySupport', 'off');
    assert.match((await problem()) ?? '', /was not found|connection to/);
    assert.equal(tunnel.connects.length, 0);
  });

  it('gets the credentials of http.proxyAuthorization, and a refusal says what to set', async () => {
    tunnel.wants = `Basic ${Buffer.from('me:pass').toString('base64')}`;
    await set('proxy', tunnel.proxy);
    await set('proxyStrictSSL', false);
    assert.match((await problem()) ?? '', /The proxy .* asks for a user name and password/);
    await set('proxyAuthorization', tunnel.wants);
    assert.equal(await problem(), undefined);
  });

  it('accepts an unknown certificate only with http.proxyStrictSSL off', async () => {
    await set('proxy', tunnel.proxy);
    assert.match((await problem()) ?? '', /certificate of models\.example could not be verified/);
    assert.equal(asked.length, 0);
    await set('proxyStrictSSL', false);
    assert.equal(await problem(), undefined);
  });
});
