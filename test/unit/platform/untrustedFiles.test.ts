import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pathId } from '../../../src/intake/imageIds';
import { isPathBelow, pathsBelow } from '../../../src/runFiles/hitFile';
import { type LoopbackServer, listenOnLoopback } from '../../support/loopback';
import { stubVSCode } from '../../support/vscodeStub';

stubVSCode();

describe('An id that a service names', () => {
  it('counts as a path of the workspace only if every system accepts it', () => {
    for (const id of ['a.png', 'a/b c/d.png', 'ä/日本.png', '..a/b', 'a/...', 'a'.repeat(4096)])
      assert.ok(isPathBelow(id), id);
    for (const id of [
      ...['', '/etc/passwd', '../a', 'a/../../b', 'a/..', './a', 'a//b', 'a/'],
      ...'..\\a a\\..\\..\\b C:/Windows C:a a.png:stream \\\\host\\share a\u0000.png a\nb'.split(' '),
      'a'.repeat(4097),
    ])
      assert.ok(!isPathBelow(id), id);
  });

  it('leads to its own file, in a window of one folder or several, and to no file elsewhere', () => {
    const name = fc.stringMatching(/^[a-zé日 ]{1,6}$/);
    fc.assert(
      fc.property(name, fc.array(name, { minLength: 1 }), fc.boolean(), (folder, parts, isApart) => {
        // As a disk may write it, and as a window that has several folders open names it.
        const path = isApart ? parts.join('/').normalize('NFD') : parts.join('/');
        assert.ok(pathsBelow(folder, pathId(path)).includes(path));
        assert.ok(pathsBelow(folder, pathId(`${folder}/${path}`)).includes(path));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('..', '/', 'a', '\\', ':') }), (id) => {
        for (const path of pathsBelow('a', id)) assert.ok(isPathBelow(path), path);
      }),
    );
  });
});

describe('Media at an address of a response', () => {
  const servers: LoopbackServer[] = [];
  let folder: string;
  const serve = async (listener: RequestListener) => {
    const server = await listenOnLoopback(listener);
    servers.push(server);
    return server;
  };
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'media-')), 'kept');
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    await rm(join(folder, '..'), { recursive: true });
  });
  const load = async (address: string, base: string) => {
    const { fetchRemoteMedia } = await import('../../../src/platform/resultMedia');
    return fetchRemoteMedia(address, 'media', folder, base, new AbortController().signal);
  };

  it('stops at a redirect that leads out of https, or to a host of this network', async () => {
    const heard: string[] = [];
    const { url: inner } = await serve((request, response) => {
      heard.push(request.url ?? '');
      response.end('internal');
    });
    const { url: service, prefix } = await serve((request, response) => {
      const [, way] = request.url!.split('/');
      if (way === 'picture') return response.writeHead(200, { 'content-type': 'image/png' }).end('x');
      const within = { within: `${prefix}/picture`, loop: `${prefix}/loop`, near: 'https://127.0.0.1:9' };
      response.writeHead(302, { location: way! in within ? within[way as 'loop'] : inner }).end();
    });
    await assert.rejects(load(`${service}/out`, service));
    await assert.rejects(load(`${service}/near`, service), /was not asked/);
    await assert.rejects(load(`${service}/loop`, service));
    assert.deepEqual(heard, []);
    const { path, contentType } = await load(`${service}/within`, service);
    assert.equal(contentType, 'image/png');
    if (process.platform === 'win32') return;
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });
});

describe('Files that the user chose', () => {
  it('appear only with an argument of our own, not with a similar one', async () => {
    const { grantedFiles, withGrantedFiles } = await import('../../../src/platform/grantedFiles');
    const files = ['file:///home/me/a.png'];
    const ours = withGrantedFiles({ model: 'm' }, files);
    assert.deepEqual(grantedFiles(ours), files);
    assert.deepEqual(grantedFiles({ ...ours, attachments: files, granted: files }), []);
    const { checkedRunArgs } = await import('../../../src/features/runPanel/runArgs');
    assert.throws(() => checkedRunArgs({ model: 'm', attachments: files }));
  });
});
