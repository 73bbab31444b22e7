import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { RunRequest } from '../../../src/domain/run';
import { diskPlaces, type FilePlaces, foldedPlace } from '../../../src/indexing/filePlaces';
import type { IndexFile, PlannedFile } from '../../../src/indexing/indexFile';
import { planIndexingJob } from '../../../src/indexing/indexingJobs';
import { indexJobs } from '../../../src/indexing/indexJobs';
import type { IndexPorts } from '../../../src/indexing/indexWork';
import { type Plan, planIndexing } from '../../../src/indexing/plan';
import { pathId } from '../../../src/intake/imageIds';
import type { Store } from '../../../src/store/store';
import { rawOf } from '../../support/rawOf';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, head, itemNamed } from '../../support/store/samples';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The content of a service: by ID, the content, and its file. */
type Held = Map<string, { readonly content: string; readonly uri: string }>;

const places = diskPlaces();

async function filesBelow(folder: string, root: string): Promise<IndexFile[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = entries.filter((entry) => entry.isFile());
  return Promise.all(
    found.map(async (entry) => {
      const at = path.join(entry.parentPath, entry.name);
      const { size, mtimeMs } = await fs.stat(at);
      return {
        ...{ uri: pathToFileURL(at).href, imageId: pathId(path.relative(root, at)), filename: entry.name },
        ...{ contentType: 'image/png', sizeBytes: size, modifiedMs: Math.round(mtimeMs) },
        open: () => createReadStream(at),
      };
    }),
  );
}

const textOf = (uri: string) => fs.readFile(fileURLToPath(uri), 'utf8');

/** Indexes new files, like a job, into a service that keeps one image an ID. */
async function indexNew(store: Store, own: typeof dataset, plan: Plan, held: Held): Promise<number> {
  // An image is of the file that was found to be the same, from the moment its own is gone: another one may come there.
  for (const { imageId, uri } of plan.unchanged) {
    const before = held.get(imageId);
    if (before && !(await places.isThere(before.uri))) held.set(imageId, { ...before, uri });
  }
  const sent = [...plan.added, ...plan.changed];
  for (const { imageId, uri, sizeBytes, modifiedMs } of sent) {
    const before = held.get(imageId);
    if (before && before.uri !== uri && before.content !== (await textOf(uri)))
      assert.ok(
        !(await places.isThere(before.uri)) || (await places.isSame(before.uri, uri)),
        `${uri} replaces ${before.uri} as ${imageId}`,
      );
    const content = await textOf(uri);
    held.set(imageId, { content, uri });
    const item = { file: uri, sha256: sha256(content), sizeBytes, modifiedMs, scope: own.scope };
    await store.datasets.record([itemNamed(imageId, item)]);
  }
  return sent.length;
}

/** Composed and decomposed, in two cases, with characters that URIs escape. */
const names = ['a.png', 'A.png', 'caf\u00e9.png', 'cafe\u0301.png', 'b #%.png'] as const;
const folders = ['one/images', 'two/images', 'two/images/more'] as const;
const roots = ['one', 'two', 'one', 'two', 'two/images', ''] as const;

const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      folder: fc.constantFrom('one/images', ...folders),
      name: fc.constantFrom('a.png', 'a.png', ...names),
      content: fc.constantFrom('red', 'blu', 'green'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      folder: fc.constantFrom(...folders),
      name: fc.constantFrom(...names),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      from: fc.constantFrom('one', 'two/images/more'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('index' as const),
      roots: fc.uniqueArray(fc.constantFrom(...roots), { minLength: 1, maxLength: 2 }),
    }),
  },
);

describe('Files of several folders in one scope', () => {
  const use = useStoreFolder();

  it('never replace one another, are indexed once, and keep their IDs when they are opened from another folder', async () => {
    const store = await use.open();
    let n = 0;
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 20 }), async (acts) => {
        const disk = path.join(use.folder, `disk-${n}`);
        const own = { ...dataset, scope: `s${n++}` };
        const held: Held = new Map();
        for (const one of [...acts, { kind: 'index' as const, roots: [''] }]) {
          if (one.kind === 'write') {
            await fs.mkdir(path.join(disk, one.folder), { recursive: true });
            await fs.writeFile(path.join(disk, one.folder, one.name), one.content);
            // Two changes in one millisecond, of one size, cannot be told apart.
            await fs.utimes(path.join(disk, one.folder, one.name), 0, ++written);
          } else if (one.kind === 'delete')
            await fs.rm(path.join(disk, one.folder, one.name), { force: true });
          else if (one.kind === 'move') {
            await fs.mkdir(path.join(disk, 'moved'), { recursive: true });
            const to = path.join(disk, 'moved', String(Math.floor(acts.indexOf(one))));
            await fs.rename(path.join(disk, one.from), to).catch(() => undefined);
          } else {
            // Folders of one window: one of them may be inside another, or have its name.
            const found = (
              await Promise.all(
                one.roots.map((root) => filesBelow(path.join(disk, root), path.join(disk, root))),
              )
            ).flat();
            const files = [...new Map(found.map((file) => [file.uri, file])).values()];
            const plan = await planIndexing(own, files, [], store.datasets, { places });
            assert.deepEqual(plan.unreadable, []);
            await indexNew(store, own, plan, held);
            const again = await planIndexing(own, files, [], store.datasets, { places });
            assert.equal(again.unchanged.length, files.length, 'a plan right after has nothing to send');
            for (const { uri, imageId } of again.unchanged)
              assert.equal(held.get(imageId)?.content, await textOf(uri), `${uri} is ${imageId}`);
          }
        }
      }),
      { numRuns: Number(process.env.MODEL_BENCH_FOLDERS ?? 60) },
    );
  });

  it('cost nothing again under a parent folder, as a second root, through a link, or moved', async () => {
    const store = await use.open();
    const disk = path.join(use.folder, 'again');
    const images = path.join(disk, 'project', 'images');
    await fs.mkdir(path.join(images, 'sub'), { recursive: true });
    for (const name of ['a.png', 'cafe\u0301.png', 'sub/a.png'])
      await fs.writeFile(path.join(images, name), `content of ${name}`);
    const own = { ...dataset, scope: 'again' };
    const held: Held = new Map();
    const plan = async (folder: string, root: string) =>
      planIndexing(own, await filesBelow(folder, root), [], store.datasets, { places });
    assert.equal(await indexNew(store, own, await plan(images, images), held), 3);
    const ids = [...held.keys()].sort();
    assert.deepEqual(ids, ['a.png', 'caf\u00e9.png', 'sub/a.png']);
    await fs.symlink(path.join(disk, 'project'), path.join(disk, 'link'));
    for (const root of [path.join(disk, 'project'), disk, path.join(images, 'sub')])
      assert.deepEqual(await sent(plan(images, root)), []);
    assert.deepEqual(await sent(plan(path.join(disk, 'link', 'images'), path.join(disk, 'link'))), []);
    await fs.rename(path.join(disk, 'project'), path.join(disk, 'elsewhere'));
    const moved = await plan(path.join(disk, 'elsewhere'), disk);
    assert.deepEqual(moved.unchanged.map(({ imageId }) => imageId).sort(), ids);
    const after = await plan(path.join(disk, 'elsewhere'), disk);
    assert.equal(after.unchanged.length, 3);
    // An edit goes to the id that the file has had.
    await fs.writeFile(path.join(disk, 'elsewhere', 'images', 'a.png'), 'edited');
    const edited = await plan(path.join(disk, 'elsewhere'), disk);
    assert.deepEqual(
      edited.changed.map(({ imageId }) => imageId),
      ['a.png'],
    );
  });

  it('count as one where a disk does not distinguish cases or composed characters', async () => {
    const store = await use.open();
    let n = 0;
    const folding: FilePlaces = {
      isThere: async () => true,
      isSame: async (one, other) => foldedPlace(one) === foldedPlace(other),
    };
    const name = fc.string({ unit: fc.constantFrom('a', 'B', '\u00e9', '\u00d6', '-'), minLength: 1 });
    await fc.assert(
      fc.asyncProperty(name, fc.boolean(), fc.boolean(), async (folder, isUpper, isApart) => {
        const own = { ...dataset, scope: `f${n++}` };
        const spelled = (text: string) =>
          (isApart ? text.normalize('NFD') : text)[isUpper ? 'toUpperCase' : 'toString']();
        const fileAt = (place: string): IndexFile => ({
          ...{ uri: `file:///${encodeURIComponent(place)}/x.png`, imageId: `${pathId(place)}/x.png` },
          ...{ filename: 'x.png', contentType: 'image/png', sizeBytes: 3, modifiedMs: 1 },
          open: () =>
            (async function* () {
              yield Buffer.from('red');
            })(),
        });
        const [first, second] = [fileAt(folder), fileAt(spelled(folder))];
        const both = await planIndexing(own, [first, second], [], store.datasets, { places: folding });
        assert.equal(both.added.length, 1, 'one file, chosen in two spellings');
        const known = {
          file: first.uri,
          sha256: sha256('red'),
          sizeBytes: 3,
          modifiedMs: 1,
          scope: own.scope,
        };
        await store.datasets.record([itemNamed(first.imageId, known)]);
        const plan = await planIndexing(own, [second], [], store.datasets, { places: folding });
        assert.deepEqual(
          plan.unchanged.map(({ imageId }) => imageId),
          [first.imageId],
        );
      }),
      { numRuns: 60 },
    );
  });

  it('get two IDs when two windows plan at the same time', async () => {
    const store = await use.open();
    const jobs = indexJobs(store);
    const own = { ...dataset, scope: 'race' };
    const held = new Map<string, string[]>();
    const ports: IndexPorts = {
      take: async ({ uri }) => ({ sha256: sha256(uri), sizeBytes: 3, modifiedMs: 1, mediaRef: uri }),
      forget: async () => undefined,
      async run({ input }: RunRequest) {
        const { images, image_ids } = input as { images: { media_ref: string }[]; image_ids: string[] };
        for (const [i, id] of image_ids.entries())
          held.set(id, [...(held.get(id) ?? []), images[i]!.media_ref]);
        return { state: 'finished', output: {}, recognised: true, raw: rawOf({ status: 'succeeded' }) };
      },
      concurrency: () => 2,
      batchSize: () => 2,
    };
    const shape = {
      ...({ property: 'images', list: true, carries: 'media', ids: 'image_ids' } as const),
      ...{ maxItems: 8, accept: ['image/*'] },
    };
    const fileIn = (root: string, name: string): PlannedFile => ({
      ...{ uri: `file:///${root}/${name}`, imageId: name, filename: name, contentType: 'image/png' },
      ...{ sizeBytes: 3, modifiedMs: 1, open: () => assert.fail('the job reads it by its port') },
    });
    const planned = ['one', 'two'].map((root) => ['a.png', 'b.png'].map((name) => fileIn(root, name)));
    const opened = [];
    for (const files of planned)
      opened.push(await planIndexingJob(jobs, { ...head, ...own }, files, shape, ports));
    for (const job of opened) job.start();
    for (const job of opened) await job.done;
    assert.deepEqual(
      [...held.values()].flat().sort(),
      planned
        .flat()
        .map(({ uri }) => uri)
        .sort(),
    );
    assert.ok(
      [...held.values()].every((sentAs) => sentAs.length === 1),
      'no image replaced another',
    );
    const { added, changed } = await planIndexing(own, planned.flat(), [], store.datasets, {
      places: { isThere: async () => true, isSame: async (one, other) => one === other },
    });
    assert.deepEqual([...added, ...changed], []);
  });
});

async function sent(plan: Promise<Plan>): Promise<string[]> {
  const { added, changed } = await plan;
  return [...added, ...changed].map(({ imageId }) => imageId);
}
