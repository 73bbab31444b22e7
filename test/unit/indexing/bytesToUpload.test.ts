import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { bytesToUpload } from '../../../src/indexing/bytesToUpload';
import type { PlannedFile } from '../../../src/indexing/indexFile';
import type { IndexedFile } from '../../../src/store/items';

const baseUrl = 'https://models.test';
const CONTENT = createHash('sha256').update('known content').digest('hex');

function file(name: string, more: Partial<PlannedFile> = {}): PlannedFile {
  return {
    uri: `file:///w/${name}`,
    imageId: name,
    filename: name,
    contentType: 'image/png',
    sizeBytes: 1_000,
    modifiedMs: 5,
    open: () => assert.fail('no file is read for this'),
    ...more,
  };
}

/** One that may be read. */
function readable(name: string, content: string, more: Partial<PlannedFile> = {}): PlannedFile {
  return file(name, {
    ...{ sizeBytes: content.length, open: () => Readable.from([Buffer.from(content)]) },
    ...more,
  });
}

describe('The bytes that a job will upload', () => {
  const indexed = { sha256: 'known', sizeBytes: 1_000, modifiedMs: 5 } as IndexedFile;
  const known = {
    datasets: { ofFile: (uri: string) => (uri.endsWith('indexed.png') ? [indexed] : []) },
    uploads: {
      find: ({ baseUrl: of, sha256, mediaType }: { baseUrl: string; sha256: string; mediaType: string }) =>
        of === baseUrl && [CONTENT, 'known'].includes(sha256) && mediaType === 'image'
          ? 'media_1'
          : undefined,
    },
  };

  it('include files whose content was not uploaded to this service before', async () => {
    const files = [readable('new.png', 'new'), file('planned.png', { sha256: 'known' }), file('indexed.png')];
    assert.deepEqual(await bytesToUpload(baseUrl, files, known), { bytes: 3, isMost: false });
    const all = { bytes: 2_003, isMost: false };
    assert.deepEqual(await bytesToUpload('https://another.test', files, known), all);
  });

  it('include a file with another size or time, or without a recorded hash', async () => {
    const of = (item: Partial<IndexedFile>, content = 'other') => {
      const datasets = { ofFile: () => [{ ...indexed, ...item }] };
      return bytesToUpload(baseUrl, [readable('a.png', content, { sizeBytes: 1_000 })], {
        ...known,
        datasets,
      });
    };
    assert.equal((await of({})).bytes, 0);
    for (const item of [{ sizeBytes: 999 }, { modifiedMs: 4 }, { sha256: '' }])
      assert.equal((await of(item)).bytes, 1_000, JSON.stringify(item));
    assert.equal((await of({ sha256: '' }, 'known content')).bytes, 0);
    const text = readable('notes.xyz', 'known content', { contentType: 'text/plain' });
    assert.equal(
      (await bytesToUpload(baseUrl, [text], known)).bytes,
      13,
      'only media are uploaded once for all',
    );
  });

  it('exclude a copy under another name, and include at most the files that are too large to read', async () => {
    const copy = readable('copy.png', 'known content');
    assert.deepEqual(await bytesToUpload(baseUrl, [copy], known), { bytes: 0, isMost: false });
    const large = [copy, file('large.png', { sizeBytes: 40_000_000 })];
    assert.deepEqual(await bytesToUpload(baseUrl, large, known), { bytes: 40_000_013, isMost: true });
  });
});
