import assert from 'node:assert/strict';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { call, upload } from '../../support/sandboxCalls';

const INIT = { filename: 'a.bin', content_type: 'application/x-thing', media_type: 'file' };

const init = async (sandbox: TestSandbox, sizeBytes: number) =>
  (await call(sandbox, 'POST', '/api/media/upload/init', { ...INIT, size_bytes: sizeBytes })).body;

const complete = (sandbox: TestSandbox, uploadId: string) =>
  call(sandbox, 'POST', '/api/media/upload/complete', { upload_id: uploadId });

async function put(url: string, bytes: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'Content-Type': INIT.content_type, ...headers },
    body: bytes,
  });
  await response.arrayBuffer();
  return response.status;
}

describe('uploads', () => {
  let sandbox: TestSandbox;
  const clock = Date.parse('2026-03-01T00:00:00Z');
  before(async () => {
    sandbox = await sandboxInProcess({ now: () => clock });
  });
  after(() => sandbox.stop());

  it('go to another origin, and the same bytes get the same reference', async () => {
    const started = await init(sandbox, 3);
    assert.equal(new URL(started.upload_url).origin, sandbox.uploadOrigin);
    assert.notEqual(sandbox.uploadOrigin, sandbox.baseUrl);
    const bytes = Buffer.from('the same');
    const refs = [await upload(sandbox, bytes), await upload(sandbox, bytes, 'image/png', 'other.png')];
    assert.equal(refs[0], refs[1]);
    assert.notEqual(await upload(sandbox, bytes, 'image/jpeg'), refs[0]);
  });

  it('accept the bytes once, with the size and type from init', async () => {
    const { upload_id: id, upload_url: url } = await init(sandbox, 5);
    assert.equal((await complete(sandbox, id)).status, 409);
    assert.equal(await put(url, 'four'), 400);
    assert.equal(await put(url, 'sixsix'), 400);
    assert.equal(await put(url, 'hello', { 'Content-Type': 'image/png' }), 415);
    assert.equal(await put(url.replace(/token=.*/, 'token=guess'), 'hello'), 403);
    assert.equal(await put(`${sandbox.uploadOrigin}/uploads/upl_0?token=x`, 'hello'), 404);
    assert.equal((await complete(sandbox, id)).status, 409);
    assert.equal(await put(url, 'hello'), 200);
    assert.equal(await put(url, 'again'), 409);
  });
});
