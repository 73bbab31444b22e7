import type { Dataset } from '../domain/dataset';
import type { Turns } from '../service/turns';
import type { Datasets } from '../store/datasets';
import type { KnownFile } from '../store/itemPages';
import type { IndexFile } from './indexFile';

/** Looking up one file takes as long as reading this many files of a dataset in sequence. */
const READ_FOR_LOOK_UP = 8;

/** The known files of a dataset. */
export class KnownFiles {
  readonly #items: number;

  constructor(
    private readonly datasets: Datasets,
    private readonly dataset: Dataset,
    private readonly turns: Turns,
  ) {
    const { baseUrl, model, scope } = dataset;
    const summary = datasets.summaries(baseUrl).find((one) => one.model === model && one.scope === scope);
    this.#items = summary?.items ?? 0;
  }

  get isEmpty(): boolean {
    return this.#items === 0;
  }

  /**
   * The record of each file under its URI, at the file's place in the list. Of several items of one URI it is the one
   * under the ID of the file's path, else an indexed one.
   */
  async byUri(files: readonly IndexFile[]): Promise<readonly (KnownFile | undefined)[]> {
    const records: (KnownFile | undefined)[] = Array.from({ length: files.length });
    if (this.isEmpty) return records;
    const note = (known: KnownFile, at: number) => {
      const other = records[at];
      if (!other || isBetter(known, other, files[at] as IndexFile)) records[at] = known;
    };
    if (this.#areFew(files)) {
      for (const [at, file] of files.entries()) {
        for (const known of this.#ofFile(file)) note(known, at);
        if (this.turns.isOver) await this.turns.next();
      }
      return records;
    }
    const places = new Map<string, number>();
    for (const [at, { uri }] of files.entries()) places.set(uri, at);
    await this.#eachKnown((known) => {
      const at = places.get(known.file);
      if (at !== undefined) note(known, at);
    });
    return records;
  }

  /** The records under the IDs that the paths of these files give. */
  async byId(files: readonly IndexFile[]): Promise<ReadonlyMap<string, KnownFile>> {
    const byId = new Map<string, KnownFile>();
    if (this.isEmpty) return byId;
    if (this.#areFew(files)) {
      for (const { imageId } of files) {
        const item = this.datasets.find(this.dataset, imageId);
        if (item) byId.set(imageId, item);
        if (this.turns.isOver) await this.turns.next();
      }
      return byId;
    }
    const wanted = new Set(files.map(({ imageId }) => imageId));
    await this.#eachKnown((known) => {
      if (wanted.has(known.imageId)) byId.set(known.imageId, known);
    });
    return byId;
  }

  #areFew(files: readonly IndexFile[]): boolean {
    return files.length * READ_FOR_LOOK_UP < this.#items;
  }

  #ofFile({ uri, imageId }: IndexFile): readonly KnownFile[] {
    const own = this.datasets.find(this.dataset, imageId);
    if (own?.file === uri) return [own];
    const { baseUrl, model, scope } = this.dataset;
    return this.datasets
      .ofFile(uri)
      .filter((one) => one.baseUrl === baseUrl && one.model === model && one.scope === scope);
  }

  async #eachKnown(note: (known: KnownFile) => void): Promise<void> {
    for await (const page of this.datasets.knownFiles(this.dataset)) for (const known of page) note(known);
  }
}

function isBetter(known: KnownFile, other: KnownFile, { imageId }: IndexFile): boolean {
  if (known.imageId === imageId || other.imageId === imageId) return known.imageId === imageId;
  return other.outcome !== 'indexed';
}
