import { createHash } from 'node:crypto';
import { identify } from '../../src/indexing/identities';
import type { IndexFile } from '../../src/indexing/indexFile';
import type { IndexHead, IndexItem } from '../../src/indexing/indexKind';
import { planIndexing } from '../../src/indexing/plan';
import type { Datasets } from '../../src/store/datasets';
import type { IndexedFile } from '../../src/store/items';
import type { JobItem } from '../../src/store/jobKind';
import { dataset, head, itemNamed } from './store/samples';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A disk and a dataset in memory: places, and the records about them. */
export class FolderInMemory {
  readonly disk = new Map<string, string>();
  readonly known: IndexedFile[] = [];
  readonly opened: string[] = [];
  /** Pairs of addresses that lead to one file. */
  readonly links = new Set<string>();
  readonly recorded: IndexedFile[] = [];

  /** It is on the disk, and in the dataset under an ID, in its present or an earlier state. */
  has(uri: string, imageId: string, content: string): this {
    this.disk.set(uri, content);
    return this.knows(uri, imageId, content);
  }

  knows(uri: string, imageId: string, content: string, more: Partial<IndexedFile> = {}): this {
    const facts = { file: uri, sha256: sha256(content), sizeBytes: content.length, modifiedMs: 1 };
    this.known.push(itemNamed(imageId, { ...facts, ...more }));
    return this;
  }

  file(uri: string, imageId: string, content = this.disk.get(uri) ?? '', modifiedMs = 2): IndexFile {
    this.disk.set(uri, content);
    const opened = this.opened;
    return {
      ...{ uri, imageId, filename: imageId, contentType: 'image/png', sizeBytes: content.length, modifiedMs },
      async *open() {
        opened.push(uri);
        yield Buffer.from(content);
      },
    };
  }

  readonly places = {
    isThere: async (uri: string) => this.disk.has(uri),
    isSame: async (one: string, other: string) => one === other || this.links.has([one, other].sort().join()),
  };

  readonly datasets = {
    summaries: () => (this.known.length > 0 ? [{ ...dataset, items: this.known.length }] : []),
    find: (_: unknown, imageId: string) => this.known.find((item) => item.imageId === imageId),
    ofFile: (uri: string) => this.known.filter(({ file }) => file === uri),
    record: async (items: readonly IndexedFile[]) => void this.recorded.push(...items),
  } as unknown as Datasets;

  constructor() {
    const { known } = this;
    Object.assign(this.datasets, {
      async *knownFiles() {
        yield known;
      },
    });
  }

  async identify(...files: readonly IndexFile[]) {
    const { datasets, places } = this;
    const {
      files: found,
      separate,
      replacing,
      unreadable,
    } = await identify(dataset, files, { datasets, places });
    return { ids: found.map(({ file }) => file.imageId), ...{ found, separate, replacing, unreadable } };
  }

  plan(files: readonly IndexFile[]) {
    const { places, datasets } = this;
    return planIndexing(dataset, files, [], datasets, { places });
  }
}

export const JOB: IndexHead = { ...head, id: 'j', at: 5 };

export const fileOfJob = (n: number, more: Partial<JobItem<IndexItem>> = {}): JobItem<IndexItem> => ({
  ...{ index: n, state: 'inFlight', uri: `file:///${n}.png`, imageId: `${n}.png`, filename: `${n}.png` },
  ...{ contentType: 'image/png', sizeBytes: 10, modifiedMs: 1, mediaRef: `ref-${n}`, sha256: `hash ${n}` },
  ...more,
});
