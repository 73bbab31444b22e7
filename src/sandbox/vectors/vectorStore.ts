import { join } from 'node:path';
import { JsonLines } from '../store/jsonLines';
import { VectorIndex } from './vectorIndex';

/** The facts of an indexed item besides its vector. */
interface ItemFacts {
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

interface Stored {
  readonly index: VectorIndex;
  readonly rowOf: Map<string, number>;
  /** With the epoch milliseconds when each was indexed. */
  readonly items: { facts: ItemFacts; at: number }[];
}

/** The dataset that an index or search run works on. */
export type Dataset = ReturnType<VectorStore['dataset']>;

/** Every indexed dataset, one a model and scope; kept over a restart. An id that is indexed again is replaced. */
export class VectorStore {
  readonly #file: JsonLines<VectorRow>;
  readonly #datasets = new Map<string, Stored>();

  constructor(
    dataDir: string,
    private readonly now: () => number,
  ) {
    this.#file = JsonLines.compacted(
      join(dataDir, 'vectors.jsonl'),
      ({ model, scope, facts, vector }) => `${key(model, scope)}\n${vector.length}\n${facts.id}`,
    );
    for (const row of this.#file.rows) {
      const bytes = Buffer.from(row.vector, 'base64');
      const vector = Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
      this.#put(row, vector);
    }
  }

  /** The items of one model in one scope. */
  dataset(model: string, scope: string) {
    const stored = () => this.#datasets.get(key(model, scope));
    const count = () => stored()?.index.count ?? 0;
    return {
      scope,
      count,
      /** All or nothing; returns how many ids were new. */
      add: (items: readonly NewItem[]): number => {
        const rows = items.map(({ facts, vector }) => {
          const bytes = Buffer.alloc(vector.length * 4);
          for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, i * 4);
          return { model, scope, facts, at: this.now(), vector: bytes.toString('base64') };
        });
        const before = count();
        this.#file.append(rows);
        for (const [i, row] of rows.entries()) this.#put(row, items[i]!.vector);
        return count() - before;
      },
      /** The `topK` nearest items, nearest first. */
      search: (query: Float32Array, topK: number) => {
        const { index, items } = stored() ?? { items: [] };
        const hits = index?.nearest(query, topK) ?? [];
        return hits.map(({ row, distance }) => ({ ...items[row]!, distance }));
      },
    };
  }

  close(): void {
    this.#file.close();
  }

  #put({ model, scope, facts, at }: VectorRow, vector: Float32Array): void {
    let dataset = this.#datasets.get(key(model, scope));
    // Vectors of a version with other descriptors cannot be compared: an empty dataset replaces them.
    if (dataset?.index.dimensions !== vector.length) {
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
