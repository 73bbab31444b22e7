import assert from 'node:assert/strict';
import fc from 'fast-check';
import { useStoreFolder } from '../../support/store/openStore';

describe('A text with a NUL in the store', () => {
  const use = useStoreFolder();

  it('comes back whole, never as the text before the NUL', async () => {
    const { uploads } = await use.open();
    const part = fc.constantFrom('a', 'é', '\0', ' ');
    const withNul = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => `${parts.join('')}\0z`);
    await fc.assert(
      fc.asyncProperty(withNul, async (mediaRef) => {
        const key = { baseUrl: 'https://a.test', sha256: 'x', mediaType: 'image' } as const;
        await uploads.remember(key, mediaRef);
        assert.equal(uploads.find(key), mediaRef.replaceAll('\0', '\ufffd'));
        const other = { ...key, baseUrl: `https://a.test\0${mediaRef}` };
        assert.equal(uploads.find(other), undefined, 'a key is not cut either');
      }),
      { numRuns: 50 },
    );
  });
});
