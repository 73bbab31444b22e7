import assert from 'node:assert/strict';
import type { UploadOptions, UploadSource } from '../../../src/service/client';
import { upload } from '../../../src/service/upload';
import { FakeService, type HeldRequest, SERVICE } from '../../support/fakeService';
import { failureOf } from '../../support/serviceClient';
import { sourceOf } from '../../support/uploadSource';

const STORE = 'https://store.test/put?sig=1';
const INIT = '/base/api/media/upload/init';
const COMPLETE = '/base/api/media/upload/complete';
const BYTES = Buffer.from('0123456789');

describe('The steps of an upload', () => {
  let service: FakeService;
  beforeEach(() => {
    service = new FakeService();
  });

  const source = (): UploadSource => sourceOf('a.png', 'image/png', BYTES, 4);

  function start(options: UploadOptions = {}, file = source()) {
    const done = upload(service.exchange(), file, options);
    done.catch(() => undefined);
    return done;
  }

  /** Responds to the next request, which must be this one. */
  async function next(
    path: string,
    status = 200,
    body: object = {},
  ): Promise<HeldRequest & { readonly sentBody: string }> {
    await service.pass();
    const { last } = service;
    assert.equal(last.path, path);
    const sentBody = String(await last.take());
    await last.respond(status, {}, body);
    return { ...last, sentBody };
  }

  const ticket = (more: object = {}) => ({ upload_url: STORE, upload_id: 'u1', ...more });

  it('requests one new address for failures of an address, and restarts its progress', async () => {
    for (const status of [403, 404, 410, 500, 503]) {
      service = new FakeService();
      const progress: number[] = [];
      const done = start({ onProgress: (sent) => progress.push(sent) });
      await next(INIT, 200, ticket());
      await next('/put?sig=1', status);
      await next(INIT, 200, ticket({ upload_id: 'u2' }));
      assert.deepEqual(progress, [4, 8, 10, 0]);
      await next('/put?sig=1');
      const complete = await next(COMPLETE, 200, { media_ref: 'ref' });
      assert.deepEqual(JSON.parse(complete.sentBody), { upload_id: 'u2' }, `${status}`);
      await done;
    }
    service = new FakeService();
    const done = failureOf(start());
    await next(INIT, 200, ticket());
    await next('/put?sig=1', 500);
    await next(INIT, 200, ticket());
    await next('/put?sig=1', 500);
    await done;
    assert.equal(service.requests.length, 4);
    // A verdict on the file or the request is not another for the same bytes.
    for (const status of [400, 401, 402, 405, 409, 413, 415]) {
      service = new FakeService();
      const rejected = failureOf(start());
      await next(INIT, 200, ticket());
      await next('/put?sig=1', status);
      await rejected;
      assert.equal(service.requests.length, 2, `${status}`);
    }
  });

  it('need an address, and a final reference', async () => {
    for (const body of [{}, { upload_url: STORE }, { upload_id: 'u' }]) {
      const done = failureOf(start(), 'unreadableResponse');
      await next(INIT, 200, body);
      assert.deepEqual((await done).details.why, { reason: 'noUploadUrl' });
    }
    const done = failureOf(start(), 'unreadableResponse');
    await next(INIT, 200, ticket());
    await next('/put?sig=1');
    await next(COMPLETE);
    assert.deepEqual((await done).details.why, { reason: 'noMediaRef' });
  });

  it('goes nowhere without TLS but to the service itself, or on this computer', async () => {
    /** The first path after init, where one was asked for. */
    const followed = async (uploadUrl: string, baseUrl: string) => {
      service = new FakeService();
      const done = upload(service.exchange({ baseUrl, origin: new URL(baseUrl).origin }), source(), {});
      const outcome = done.catch(
        (error: { details: { why: { reason: string } } }) => error.details.why.reason,
      );
      await service.pass();
      await service.last.respond(200, {}, ticket({ upload_url: uploadUrl }));
      await service.pass();
      return service.requests.length > 1 ? service.last.sent.url.href : await outcome;
    };
    const remote = 'http://192.168.1.5:8080';
    const local = 'http://localhost:8080';
    for (const [address, base, goes] of [
      ['https://store.test/x', SERVICE, true],
      ['https://store.test/x', local, true],
      ['http://store.test/x', SERVICE, false],
      ['http://127.0.0.1:9/x', SERVICE, false],
      ['http://127.0.0.1:9/x', local, true],
      ['http://store.test/x', local, false],
      [`${remote}/x`, remote, true],
      ['http://192.168.1.5:9000/x', remote, false],
      ['ftp://127.0.0.1/x', local, false],
      ['file:///etc/passwd', local, false],
      ['http://[', SERVICE, false],
    ] as const)
      assert.equal(
        await followed(address, base),
        goes ? address : 'unsafeUploadUrl',
        `${address} of ${base}`,
      );
    assert.equal(await followed('/here', SERVICE), `${SERVICE}/here`);
    assert.equal(await followed('http://models.test/x', SERVICE), `${SERVICE}/x`);
    assert.equal(await followed('/api/media/u1', `${SERVICE}/gw`), `${SERVICE}/gw/api/media/u1`);
  });
});
