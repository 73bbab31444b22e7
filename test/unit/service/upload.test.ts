import assert from 'node:assert/strict';
import { errorConsequence } from '../../../src/jobs/consequence';
import { FileChangedError } from '../../../src/service/upload';
import { messageOf, nextStepOf } from '../../../src/wording/errors';
import {
  type FaultProxy,
  type SeenRequest,
  type StubResponse,
  startFaultProxy,
} from '../../support/faultProxy';
import { failureOf, TEST_KEY, testClient } from '../../support/serviceClient';
import { sourceOf } from '../../support/uploadSource';

const BYTES = Buffer.from('the bytes of a picture'.repeat(20_000));
const source = () => sourceOf('a.png', 'image/png', BYTES);
const isInit = ({ path }: SeenRequest) => path === '/api/media/upload/init';
const isComplete = ({ path }: SeenRequest) => path === '/api/media/upload/complete';

describe('an upload', () => {
  let service: FaultProxy;
  let store: FaultProxy;
  let initExtra: object = {};
  let storeResponses: StubResponse[] = [];
  let completeFaults: ('lost' | 'fine')[] = [];
  let inits = 0;

  beforeEach(async () => {
    initExtra = {};
    storeResponses = [];
    completeFaults = [];
    inits = 0;
    store = await startFaultProxy({ behind: () => storeResponses.shift() ?? {} });
    service = await startFaultProxy({
      behind: (request) => {
        if (isInit(request))
          return {
            body: { upload_url: `${store.url}/put?sig=secret`, upload_id: `u${++inits}`, ...initExtra },
          };
        return { body: { media_ref: `ref:${JSON.parse(String(request.body)).upload_id}` } };
      },
      fault: (request) =>
        isComplete(request) && completeFaults.shift() === 'lost' ? { kind: 'resetAfter' } : undefined,
    });
  });
  afterEach(async () => {
    await service.close();
    await store.close();
  });

  it('shows no signature that a store repeats in its error', async () => {
    const signature = '5f6e1c/9b+a0d4e7==';
    const query = `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=${encodeURIComponent(signature)}`;
    for (const spell of [(text: string) => text, encodeURIComponent, JSON.stringify]) {
      initExtra = {
        upload_url: `${store.url}/put?${query}`,
        headers: { Authorization: `Token ${signature}` },
      };
      const body = `The address /put?${query} or ${spell(signature)} expired.`;
      const refused = { status: 400, body, headers: { 'content-type': 'text/plain', 'x-asked': signature } };
      storeResponses = [refused, refused];
      const error = await failureOf(testClient(service.url).upload(source()));
      const { raw } = error.details;
      const told = [
        messageOf(error),
        String(error),
        String(Buffer.from(raw!.bytes)),
        JSON.stringify(raw!.headers),
      ];
      for (const text of told) {
        assert.ok(!text.includes(signature) && !text.includes(encodeURIComponent(signature)), text);
      }
      assert.match(messageOf(error), /signature removed.*expired/);
    }
  });

  it('shows no token of a header that a store repeats in its error, with or without its scheme', async () => {
    const [bearer, token] = ['eyJhbGciOiJIUzI1NiJ9.e30.abc', 'f0e1d2c3b4a5968778695a4b'];
    initExtra = { headers: { Authorization: `Bearer ${bearer}`, 'X-Upload-Token': token } };
    const body = `The token ${bearer} and ${token} expired for image/png.`;
    storeResponses = [{ status: 400, body, headers: { 'content-type': 'text/plain' } }];
    const error = await failureOf(testClient(service.url).upload(source()));
    for (const text of [messageOf(error), String(error), String(Buffer.from(error.details.raw!.bytes))])
      assert.ok(!text.includes(bearer) && !text.includes(token) && text.includes('image/png'), text);
  });

  it('goes init, bytes, complete, with exact length and progress, and the key never reaches the foreign address', async () => {
    const client = testClient(service.url);
    const progress: number[] = [];
    const { mediaRef } = await client.upload(source(), { onProgress: (sent) => progress.push(sent) });
    assert.equal(mediaRef, 'ref:u1');
    assert.deepEqual(JSON.parse(String(service.seen[0]?.body)), {
      filename: 'a.png',
      content_type: 'image/png',
      media_type: 'image',
      size_bytes: BYTES.length,
    });
    const [put] = store.seen;
    assert.equal(put?.method, 'PUT');
    assert.equal(put?.headers['content-type'], 'image/png');
    assert.equal(put?.headers['content-length'], String(BYTES.length));
    assert.equal(put?.headers['transfer-encoding'], undefined);
    assert.ok(put?.body.equals(BYTES));
    assert.doesNotMatch(JSON.stringify(put?.headers), new RegExp(TEST_KEY));
    assert.equal(progress.at(-1), BYTES.length);
    assert.deepEqual(
      [...progress].sort((a, b) => a - b),
      progress,
    );
    assert.doesNotMatch(client.logged.join('\n'), /secret|canary/);
    client.close();
  });

  it('uses the method and headers that init names, but none that would carry a key or break the framing', async () => {
    initExtra = {
      method: 'post',
      headers: {
        'x-store-token': 't',
        'Content-Type': 'image/x',
        'X-API-Key': 'k',
        Cookie: 'c',
        Host: 'h',
        'content-length': '1',
      },
    };
    const client = testClient(service.url);
    await client.upload(source());
    const [sent] = store.seen;
    assert.equal(sent?.method, 'POST');
    assert.equal(sent?.headers['x-store-token'], 't');
    assert.equal(sent?.headers['content-type'], 'image/x');
    assert.equal(sent?.headers['content-length'], String(BYTES.length));
    assert.equal(sent?.headers['x-api-key'], undefined);
    assert.equal(sent?.headers.cookie, undefined);
    assert.match(sent?.headers.host ?? '', /^127\./);
    client.close();
  });

  it('blames no key, wallet or model for another server’s rejection', async () => {
    for (const status of [401, 402, 403, 404, 409, 410]) {
      storeResponses = [{ status }, { status }];
      const client = testClient(service.url);
      const error = await failureOf(client.upload(source()));
      assert.equal(error.kind, 'serviceFailing', String(status));
      const { host } = new URL(store.url);
      assert.deepEqual(error.details.why, { reason: 'uploadRejected', host, status });
      assert.match(messageOf(error), new RegExp(`upload server ${host} did not accept the file .*${status}`));
      assert.equal(nextStepOf(error), 'retry');
      // A job prepares the file again, and neither stops nor asks for another key.
      assert.equal(errorConsequence(error, 'prepare'), 'retry');
      client.close();
    }
    storeResponses = [{ status: 413 }, { status: 413 }];
    const client = testClient(service.url);
    const tooLarge = await failureOf(client.upload(source()));
    assert.deepEqual([tooLarge.kind, errorConsequence(tooLarge, 'prepare')], ['invalidRequest', 'rejected']);
    client.close();
  });

  it('asks complete again when its response is lost, without sending the bytes again', async () => {
    completeFaults = ['lost', 'fine'];
    const client = testClient(service.url, { random: () => 0 });
    const file = source();
    assert.equal((await client.upload(file)).mediaRef, 'ref:u1');
    assert.equal(service.seen.filter(isComplete).length, 2);
    assert.equal(store.seen.length, 1);
    assert.equal(file.opened, 1);
    client.close();
  });

  it('aborts when the file grows, shrinks or changes: it never arrives complete and is never completed', async () => {
    const client = testClient(service.url);
    const grown = { ...source(), sizeBytes: BYTES.length - 5 };
    const shrunk = { ...source(), sizeBytes: BYTES.length + 5 };
    const changed = {
      ...source(),
      async *open() {
        yield BYTES;
        throw new FileChangedError('its time changed');
      },
    };
    for (const file of [grown, shrunk, changed]) {
      const error = await failureOf(client.upload(file), 'invalidRequest');
      assert.match(messageOf(error), /a\.png.*changed/);
    }
    assert.equal(service.seen.filter(isComplete).length, 0);
    assert.equal(service.seen.filter(isInit).length, 3);
    assert.equal(store.seen.length, 0, 'a whole body arrived');
    client.close();
  });

  it('stops the bytes and closes the file when it is cancelled', async () => {
    const stop = new AbortController();
    let closed = false;
    const endless = {
      ...source(),
      sizeBytes: 1e9,
      async *open() {
        try {
          for (;;) {
            yield BYTES;
            await new Promise((resolve) => setTimeout(resolve, 1));
          }
        } finally {
          closed = true;
        }
      },
    };
    const client = testClient(service.url);
    await failureOf(
      client.upload(endless, {
        signal: stop.signal,
        onProgress: (sent) => sent > 2 * BYTES.length && stop.abort(),
      }),
      'cancelled',
    );
    while (!closed) await new Promise((resolve) => setTimeout(resolve, 2));
    assert.equal(service.seen.filter(isComplete).length, 0);
    client.close();
  });
});
