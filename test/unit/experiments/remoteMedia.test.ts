import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import path from 'node:path';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { keepMedia } from '../../../src/experiments/plan/experimentJobs';
import { fetchMedium, remoteMedia, Unreachable } from '../../../src/experiments/results/remoteMedia';
import { contentMark, type ResultMedium } from '../../../src/experiments/results/resultMedia';
import { lineOutcome } from '../../../src/experiments/table/outcome';
import { createTransport } from '../../../src/service/transport';
import type { StoredFile } from '../../../src/store/experimentResults';
import { PNG } from '../../support/addressService';
import { mergeResults, readResults } from '../../support/atOnce';
import { type LoopbackServer, listenOnLoopback } from '../../support/loopback';
import { useStoreFolder } from '../../support/store/openStore';
import { writeResults } from '../../support/store/storedResults';

/** The ways in which services name a picture. */
const around = fc.constantFrom<(address: string) => Json>(
  (address) => address,
  (image) => ({ image }),
  (address) => ({ output: [address] }),
  (url) => ({ images: [{ url, width: 8 }], seed: 7 }),
  (url) => ({ data: { results: [{ image: { url, content_type: 'image/png' } }] } }),
);

describe('Pictures that a result names by address', () => {
  it('appear once from every place, and texts that only contain an address do not count', () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const address = fc
      .tuple(name, name, fc.constantFrom('', '?token=a/b', '#page'))
      .map(([host, file, end]) => `https://${host}.example/${file}.png${end}`);
    fc.assert(
      fc.property(fc.uniqueArray(address, { minLength: 1, maxLength: 5 }), around, (addresses, place) => {
        const result = [...addresses, ...addresses].map(place);
        assert.deepEqual(new Set(remoteMedia(result)), new Set(addresses));
        assert.equal(remoteMedia(result).length, addresses.length);
      }),
    );
    const none: Json[] = ['see https://a.example/b.png', { url: 'https://a.example/page' }, null, 7, {}];
    for (const result of none) assert.deepEqual(remoteMedia(result), []);
  });
});

describe('The file at an address of a result', () => {
  const servers: LoopbackServer[] = [];
  const transport = createTransport({ proxySupport: 'off' });
  const serve = async (listener: RequestListener) => {
    const server = await listenOnLoopback(listener);
    servers.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  after(() => transport.close());
  const get = (address: string, baseUrl: string) => fetchMedium(address, baseUrl, transport);

  it('comes from the service without the key, even by way of its own redirects', async () => {
    const heard: IncomingMessage[] = [];
    const { url, prefix } = await serve((request, response) => {
      heard.push(request);
      if (request.url === '/moved') response.writeHead(302, { location: `${prefix}/a.png` }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(PNG);
    });
    assert.deepEqual(await get(`${url}/moved`, url), { contentType: 'image/png', bytes: PNG });
    for (const { headers } of heard)
      assert.deepEqual(
        Object.keys(headers).filter((name) => /key|auth|cookie|referer/i.test(name)),
        [],
      );
    assert.equal(heard.length, 2);
  });

  it('fails for other bytes, an error status, or beyond the size limit', async () => {
    const { url, prefix } = await serve((request, response) => {
      if (request.url === '/page') response.writeHead(200, { 'content-type': 'image/png' }).end('<html>');
      else if (request.url === '/gone') response.writeHead(403).end(PNG);
      else if (request.url === '/loop') response.writeHead(307, { location: `${prefix}/loop` }).end();
      else response.writeHead(200).end(Buffer.concat([PNG, Buffer.alloc(33 * 2 ** 20)]));
    });
    await assert.rejects(get(`${url}/page`, url), /no picture, sound or film/);
    await assert.rejects(get(`${url}/gone`, url), /status 403/);
    await assert.rejects(get(`${url}/loop`, url), /redirects too often/);
    await assert.rejects(get(`${url}/large`, url), /larger than 32 MB/);
  });

  it('stays unrequested over http elsewhere, and in networks of this computer, by address or by redirect', async () => {
    let isAsked = false;
    const { url: inner } = await serve((_, response) => {
      isAsked = true;
      response.end(PNG);
    });
    const { url } = await serve((_, response) => {
      response.writeHead(302, { location: inner }).end();
    });
    const inside = fc.oneof(
      fc.constantFrom('localhost', 'a.localhost', 'nas', 'nas.local', 'db.internal', '[::1]', '[::]'),
      fc.constantFrom(
        '[fd00::1]',
        '[fe80::1]',
        '[::ffff:10.0.0.1]',
        ...['[::10.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::a00:1]', '[2002:a00:1::]', '[2001:0:a00::1]'],
        ...['[fec0::1]', '[ff02::1]', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.0.1', '0'],
        ...['nas..', 'a.local.', 'a.localdomain', 'wiki.intranet', 'db.corp', 'tv.home', 'ⓛocalhost'],
        '127.1',
        '0x7f000001',
        '169.254.169.254',
      ),
      fc
        .tuple(fc.constantFrom('10', '127', '192.168', '172.16', '172.31', '100.64'), fc.ipV4())
        .map(([first, rest]) => [...first.split('.'), ...rest.split('.')].slice(0, 4).join('.')),
    );
    await fc.assert(
      fc.asyncProperty(inside, async (host) => {
        await assert.rejects(get(`https://${host}/a.png`, url), /was not asked/);
      }),
    );
    await assert.rejects(get(`${inner}/a.png`, url), /was not asked/);
    await assert.rejects(get('http://a.example/a.png', url), /was not asked/);
    await assert.rejects(get('https://me:secret@a.example/a.png', url), /was not asked/);
    await assert.rejects(get(`${url}/moved`, url), /was not asked/);
    assert.equal(isAsked, false);
  });
});

describe('A result that names a picture by address', () => {
  const use = useStoreFolder();
  const address = 'https://files.example/a.png';
  const lineOf = (result: Json) => ({
    ...{ custom_id: 'a', variation: {}, item: 'cat.png', repeat: 0, request_sha256: 'a', state: 'finished' },
    ...{
      started_at: '2026-11-25T10:00:00.000Z',
      run_id: 'r1',
      cost: { amount: '0.5', currency: 'USD' },
      result,
    },
  });
  /** The results file after the keeper has ended, and its requests. */
  async function kept(
    result: Json,
    fetch: (address: string) => Promise<ResultMedium>,
    { mayKeep = true, facts = {}, files = [] as readonly StoredFile[] } = {},
  ) {
    const store = await use.open();
    const file = path.join(use.folder, 'try.results.jsonl');
    const line = JSON.stringify({ ...lineOf(result), ...facts });
    await writeResults(store, file, [{ customId: 'a', state: 'finished', line, at: 5, files }]);
    const asked: string[] = [];
    const fetched: string[] = [];
    const ports = {
      mayKeep: async (hosts: readonly string[]) => {
        asked.push(...hosts);
        return mayKeep;
      },
      fetch: (one: string) => {
        fetched.push(one);
        return fetch(one);
      },
    };
    await keepMedia(store, file, ['a', 'b', 'a'], ports);
    return { text: await readFile(file, 'utf8'), asked, fetched };
  }

  it('gets the picture as a file with its hash, in any order of its lines, and is paid once', async () => {
    const bytes = new Uint8Array(PNG);
    const found = await kept({ images: [{ url: address }], seed: 7 }, async () => ({
      contentType: 'image/png',
      bytes,
    }));
    assert.deepEqual([found.asked, found.fetched], [['files.example'], [address]]);
    const lines = found.text.trim().split('\n');
    assert.equal(lines.length, 2);
    for (const text of [found.text, lines.toReversed().join('\n'), mergeResults([found.text, lines[0]!])]) {
      const { results, costs } = readResults(text);
      assert.deepEqual(results[0]?.result, { images: [{ url: contentMark(PNG) }], seed: 7 });
      assert.equal(results[0]?.result_file, 'try.results/cat-a.png');
      assert.equal(lineOutcome(results[0]!, '').kind, 'picture');
      assert.deepEqual([...costs.values()].flat(), [{ amount: '0.5', currency: 'USD' }]);
    }
    assert.deepEqual(await readFile(path.join(use.folder, 'try.results/cat-a.png')), PNG);
  });

  it('stays unchanged without a response, and the next start tries again', async () => {
    const nobody = await listenOnLoopback(() => undefined);
    await nobody.close();
    const transport = createTransport({ proxySupport: 'off' });
    const { text, fetched } = await kept({ images: [`${nobody.url}/a.png`] }, (one) =>
      fetchMedium(one, nobody.url, transport),
    );
    assert.deepEqual([text.trim().split('\n').length, fetched.length], [1, 1]);
    await assert.rejects(
      fetchMedium(`${nobody.url}/a.png`, nobody.url, transport, AbortSignal.abort()),
      Unreachable,
    );
    transport.close();
  });
});
