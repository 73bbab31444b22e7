import assert from 'node:assert/strict';
import { useStoreFolder } from '../../support/store/openStore';

describe('References of uploads in the store', () => {
  const use = useStoreFolder();
  const key = { baseUrl: 'https://a.test', sha256: 'ab', mediaType: 'image' };
  const others = [
    { ...key, baseUrl: 'https://b.test' },
    { ...key, sha256: 'cd' },
    { ...key, mediaType: 'file' },
  ];

  it('belong to one content, of one kind, at one service', async () => {
    const { uploads } = await use.open();
    await uploads.remember(key, 'ref');
    assert.equal(uploads.find(key), 'ref');
    for (const other of others) assert.equal(uploads.find(other), undefined);
    await uploads.remember(key, 'newer');
    assert.equal(uploads.find(key), 'newer');
  });

  it('go one by one when they are forgotten', async () => {
    const { uploads } = await use.open();
    for (const [n, one] of [key, ...others].entries()) await uploads.remember(one, `ref ${n}`);
    await uploads.forget(key);
    assert.deepEqual(
      [key, ...others].map((one) => uploads.find(one)),
      [undefined, 'ref 1', 'ref 2', 'ref 3'],
    );
  });
});
