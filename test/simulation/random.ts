/** Numbers that follow from a seed: the same seed, the same numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(of1: number): boolean {
    return this.next() < of1;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** One more source, which others do not change by taking more or fewer numbers. */
  of(...names: readonly number[]): Random {
    let mixed = this.#state;
    for (const name of names) mixed = Math.imul(mixed ^ (name + 0x9e3779b9), 0x85ebca6b) ^ (mixed >>> 13);
    return new Random(mixed);
  }
}
