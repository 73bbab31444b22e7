import type { Database } from '../store/database';
import { VectorIndex } from './vectorIndex';
import { type DatasetName, datasetRow, eachVector, type ItemFacts, itemAt, putVector } from './vectorRows';

export interface NewItem {
  readonly facts: ItemFacts;
  readonly vector: Float32Array;
}

/** The vectors of a dataset in memory, for its searches; the rows of the database are the truth. */
interface Loaded {
  readonly index: VectorIndex;
  /** The position of each row of the index in the database, and the reverse. */
  readonly positions: number[];
  readonly rowOf: Map<number, number>;
}

/** The dataset that an index or search run works on. */
export type Dataset = ReturnType<VectorStore['dataset']>;

/** Every indexed dataset, one a model and scope; kept over a restart. An id that is indexed again is replaced. */
export class VectorStore {
  /** Of the datasets that were searched. */
  readonly #loaded = new Map<string, Loaded>();

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {
    database.onUndone = () => this.#loaded.clear();
  }

  /** The items of one model in one scope. */
  dataset(model: string, scope: string) {
    const name = { model, scope };
    return {
      scope,
      count: () => datasetRow(this.database, name)?.items ?? 0,
      /** Returns how many ids were new. Belongs into a transaction. */
      add: (items: readonly NewItem[]): number => items.filter((item) => this.#put(name, item)).length,
      /** The `topK` nearest items, nearest first. */
      search: (query: Float32Array, topK: number) => {
        const loaded = this.#load(name, query.length);
        const hits = loaded?.index.nearest(query, topK) ?? [];
        return hits.map(({ row, distance }) => ({
          ...itemAt(this.database, loaded!.positions[row]!),
          distance,
        }));
      },
    };
  }

  #put(name: DatasetName, { facts, vector }: NewItem): boolean {
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    const { isNew, position } = putVector(this.database, name, { facts, bytes, at: this.now() });
    const loaded = this.#loaded.get(key(name));
    if (loaded?.index.dimensions === vector.length) setRow(loaded, position, vector);
    else this.#loaded.delete(key(name));
    return isNew;
  }

  /** Undefined: there is nothing that the query can be compared with. */
  #load(name: DatasetName, dimensions: number): Loaded | undefined {
    const known = this.#loaded.get(key(name));
    if (known !== undefined) return known;
    const row = datasetRow(this.database, name);
    if (row?.dimensions !== dimensions) return undefined;
    const loaded: Loaded = { index: new VectorIndex(dimensions), positions: [], rowOf: new Map() };
    eachVector(this.database, row.dataset, (position, vector) => setRow(loaded, position, vector));
    this.#loaded.set(key(name), loaded);
    return loaded;
  }
}

function setRow({ index, positions, rowOf }: Loaded, position: number, vector: Float32Array): void {
  const row = rowOf.get(position) ?? index.count;
  index.set(row, vector);
  positions[row] = position;
  rowOf.set(position, row);
}

const key = ({ model, scope }: DatasetName) => `${model}\n${scope}`;
