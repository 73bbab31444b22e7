import { join } from 'node:path';
import { JsonLines } from '../store/jsonLines';
import { VectorIndex } from './vectorIndex';

/** The facts of an indexed item besides its vector. */
export interface ItemFacts {
  readonly id: string;
  readonly media_ref?: string;
  readonly filename?: string;
  readonly text?: string;
}

export interface NewItem {
  readonly facts: ItemFacts;
  readonly vector: Float32Array;
}

interface VectorRow {
  readonly model: string;
  readonly scope: string;
  readonly facts: ItemFacts;
  readonly at: number;
  /** Little-endian 32-bit floats, base64. */
  readonly vector: string;
}

interface Dataset {
  readonly index: VectorIndex;
  readonly rowOf: Map<string, number>;
  readonly items: { facts: ItemFacts; at: number }[];
}

export interface FoundItem extends ItemFacts {
  readonly distance: number;
  /** Epoch milliseconds. */
  readonly indexedAt: number;
}

/** Every indexed dataset, one a model and scope; kept over a restart. An id that is indexed again is replaced. */
export class VectorStore {
  readonly #file: JsonLines<VectorRow>;
  readonly #datasets = new Map<string, Dataset>();

  constructor(
    dataDir: string,
    private readonly now: () => number,
  ) {
    this.#file = JsonLines.openCompacted(
      join(dataDir, 'vectors.jsonl'),
      ({ model, scope, facts, vector }) => `${key(model, scope)}\n${vector.length}\n${facts.id}`,
    );
    for (const row of this.#file.rows) {
      const bytes = Buffer.from(row.vector, 'base64');
      const vector = Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
      this.#put(row, vector);
    }
  }

  /** Adds a batch, all or nothing. Returns how many ids were new. */
  add(model: string, scope: string, items: readonly NewItem[]): number {
    const rows = items.map(({ facts, vector }): VectorRow => {
      const bytes = Buffer.alloc(vector.length * 4);
      for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, i * 4);
      return { model, scope, facts, at: this.now(), vector: bytes.toString('base64') };
    });
    const before = this.count(model, scope);
    this.#file.append(rows);
    for (const [i, row] of rows.entries()) this.#put(row, items[i]!.vector);
    return this.count(model, scope) - before;
  }

  count(model: string, scope: string): number {
    return this.#datasets.get(key(model, scope))?.index.count ?? 0;
  }

  search(model: string, scope: string, query: Float32Array, topK: number): FoundItem[] {
    const dataset = this.#datasets.get(key(model, scope));
    if (dataset === undefined) return [];
    return dataset.index.nearest(query, topK).map(({ row, distance }) => {
      const { facts, at } = dataset.items[row]!;
      return { ...facts, distance, indexedAt: at };
    });
  }

  close(): void {
    this.#file.close();
  }

  #put({ model, scope, facts, at }: VectorRow, vector: Float32Array): void {
    let dataset = this.#datasets.get(key(model, scope));
    if (dataset !== undefined && dataset.index.dimensions !== vector.length) {
      // Written by a version with other descriptors: these vectors cannot be compared, so start an empty dataset.
      dataset = undefined;
    }
    if (dataset === undefined) {
      dataset = { index: new VectorIndex(vector.length), rowOf: new Map(), items: [] };
      this.#datasets.set(key(model, scope), dataset);
    }
    const row = dataset.rowOf.get(facts.id) ?? dataset.index.count;
    dataset.index.set(row, vector);
    dataset.items[row] = { facts, at };
    dataset.rowOf.set(facts.id, row);
  }
}

const key = (model: string, scope: string) => `${model}\n${scope}`;
