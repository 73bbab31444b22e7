import type { Database } from '../store/database';
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

interface Hit {
  readonly row: number;
  readonly distance: number;
}

/** Vectors of one length in one Float32Array, searched exactly: every row is compared with the query. */
class VectorIndex {
  #data: Float32Array;
  #count = 0;

  constructor(readonly dimensions: number) {
    this.#data = new Float32Array(dimensions * 64);
  }

  get count(): number {
    return this.#count;
  }

  /** Writes a vector to a row; `row === count` appends. */
  set(row: number, vector: Float32Array): void {
    if (vector.length !== this.dimensions) {
      throw new RangeError(`a vector of ${vector.length} in an index of ${this.dimensions}`);
    }
    if ((row + 1) * this.dimensions > this.#data.length) {
      const larger = new Float32Array(this.#data.length * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data.set(vector, row * this.dimensions);
    this.#count = Math.max(this.#count, row + 1);
  }

  /** The `topK` nearest rows by L1 distance, nearest first; on a tie the older row first. */
  nearest(query: Float32Array, topK: number): Hit[] {
    const { dimensions } = this;
    const data = this.#data;
    const best: Hit[] = [];
    let worst = Number.POSITIVE_INFINITY;
    for (let row = 0; row < this.#count; row++) {
      const base = row * dimensions;
      let distance = 0;
      for (let i = 0; i < dimensions; i++) distance += Math.abs(data[base + i]! - query[i]!);
      if (best.length === topK && distance >= worst) continue;
      let place = best.length;
      while (place > 0 && best[place - 1]!.distance > distance) place -= 1;
      best.splice(place, 0, { row, distance });
      if (best.length > topK) best.pop();
      worst = best.at(-1)!.distance;
    }
    return best;
  }
}

/** The writes of a run, in one transaction with its charge; `write` returns the run's output. */
export class DatasetWrite {
  constructor(readonly write: () => unknown) {}
}
