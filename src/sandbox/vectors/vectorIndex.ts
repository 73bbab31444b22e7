export interface Hit {
  readonly row: number;
  readonly distance: number;
}

/** Vectors of one length in one Float32Array, searched exactly: every row is compared with the query. */
export class VectorIndex {
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
