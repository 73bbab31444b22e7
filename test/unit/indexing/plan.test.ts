import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { foldersBelow, foldersOutside } from '../../../src/indexing/indexedFolders';
import type { IndexFile } from '../../../src/indexing/indexFile';
import { type Plan, planIndexing } from '../../../src/indexing/plan';
import { sha256Of } from '../../../src/runs/uploads/sha256Of';
import type { IndexedFile } from '../../../src/store/items';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed } from '../../support/store/samples';

const outcomes = ['indexed', 'failed', 'unknown'] as const;

/** The present content of a file, and its record. */
interface Case {
  readonly content: string;
  readonly known?: {
    readonly content: string;
    readonly isTouched: boolean;
    readonly outcome: IndexedFile['outcome'];
  };
}

const content = fc.constantFrom('', 'a', 'b', 'cc');
const cases = fc.dictionary(
  // Two names never spell one place: `identities.test.ts` tests that.
  fc.stringMatching(/^[a-z0-9 é-][a-z0-9 .é-]{0,5}(\/[a-z0-9 é-][a-z0-9 .é-]{0,5})?$/),
  fc.record<Case>(
    {
      content,
      known: fc.record({ content, isTouched: fc.boolean(), outcome: fc.constantFrom(...outcomes) }),
    },
    { requiredKeys: ['content'] },
  ),
  { maxKeys: 40 },
);

/** The outcome of a file, by its case alone. */
function partOf({ content: now, known }: Case): keyof Plan {
  if (now === '') return 'unreadable';
  if (!known) return 'added';
  if (known.content.length !== now.length) return 'changed';
  if (known.isTouched && known.content !== now) return 'changed';
  return known.outcome === 'indexed' ? 'unchanged' : known.outcome === 'failed' ? 'failedBefore' : 'unknown';
}

const sha256 = (text: string) => sha256Of(Readable.from([Buffer.from(text)]));

describe('A plan', () => {
  const use = useStoreFolder();

  it('sorts every file by its record, both by look-ups and by reading the dataset', async () => {
    const store = await use.open();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async (files, isLarge) => {
        const own = { ...dataset, scope: `s${n++}` };
        const known: IndexedFile[] = [];
        for (const [imageId, { known: before }] of Object.entries(files)) {
          if (!before) continue;
          const { content: text, isTouched, outcome } = before;
          const more = { sizeBytes: text.length, modifiedMs: isTouched ? 1 : 2, outcome, scope: own.scope };
          known.push(itemNamed(imageId, { ...more, sha256: await sha256(text) }));
        }
        // Many more files that are not asked for: then files are looked up one by one.
        const others = isLarge ? Object.keys(files).length * 9 + 1 : 0;
        for (let at = 0; at < others; at++) known.push(itemNamed(`other-${at}`, { scope: own.scope }));
        await store.datasets.record(known);
        const all = Object.entries(files).map(([imageId, { content: text }]) => fileOf(imageId, text));
        // Indexed files are on the disk, even an empty one, so that no file was moved from there.
        const places = {
          isThere: async (uri: string) => all.some((file) => file.uri === uri),
          isSame: async (one: string, other: string) => one === other,
        };
        const plan = await planIndexing(own, all, [], store.datasets, { places });
        const found = Object.fromEntries(
          (['added', 'changed', 'unchanged', 'failedBefore', 'unknown', 'unreadable'] as const).flatMap(
            (part) => plan[part].map(({ uri }) => [uri, part] as const),
          ),
        );
        const wanted = Object.entries(files).map(([imageId, one]) => [uriOf(imageId), partOf(one)] as const);
        assert.deepEqual(found, Object.fromEntries(wanted));
        // Files are read once only.
        const again = await planIndexing(own, all.map(unreadable), [], store.datasets, { places });
        assert.deepEqual(again.unchanged.length, plan.unchanged.length);
      }),
      { numRuns: 60 },
    );
  });
});

const uriOf = (imageId: string) => `file:///files/${imageId}`;

function fileOf(imageId: string, text: string): IndexFile {
  return {
    ...{ uri: uriOf(imageId), imageId, filename: imageId, contentType: 'image/png' },
    ...{ sizeBytes: text.length, modifiedMs: 2, open: () => Readable.from([Buffer.from(text)]) },
  };
}

function unreadable(file: IndexFile): IndexFile {
  return {
    ...file,
    open: () => {
      throw new Error('It is not to be read.');
    },
  };
}

describe('Folders of indexed files', () => {
  const use = useStoreFolder();
  const path = fc.array(fc.stringMatching(/^[a-c./-]{0,2}[a-c]$/), { minLength: 1, maxLength: 4 });
  const files = fc.array(
    fc.record({ path, isWanted: fc.boolean(), scope: fc.constantFrom('playground', 'other') }),
    { maxLength: 60 },
  );

  it('equal those of a look at every file', async () => {
    await fc.assert(
      fc.asyncProperty(files, path, async (some, at) => {
        const store = await use.open({}, `${use.folder}/${randomUUID()}`);
        const items = some.map((one, index) =>
          itemNamed(`${index}`, {
            file: `file:///${one.path.join('/')}`,
            scope: one.scope,
            outcome: one.isWanted ? 'indexed' : 'failed',
          }),
        );
        await store.datasets.record(items);
        const root = `file:///${at[0]}`;
        const isWanted = ({ outcome }: IndexedFile) => outcome === 'indexed';
        const below = await foldersBelow(store.datasets, `${root}/`, isWanted);
        const rests = items
          .filter((item) => isWanted(item) && item.file.startsWith(`${root}/`))
          .map(({ file }) => file.slice(root.length + 1));
        const tops = rests.map((rest) => (rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : ''));
        assert.deepEqual([...below].sort(), [...new Set(tops)].sort());

        const outside = await foldersOutside(store.datasets, dataset, [root], 1_000);
        const covered = [root, ...outside];
        for (const { file, scope } of items)
          if (scope === dataset.scope)
            assert.ok(
              covered.some((folder) => file.startsWith(`${folder}/`)),
              `${file} is not covered`,
            );
        assert.ok(!outside.some((folder) => `${folder}/`.startsWith(`${root}/`)));
        const few = await foldersOutside(store.datasets, dataset, [root], 1);
        assert.ok(few.length <= 1);
        await store.close();
      }),
      { numRuns: 40 },
    );
  });
});
