import type { JobItem } from '../store/jobKind';

/**
 * The next requests of a job: parts of rejected batches first, then full batches, then preparations. Preparations run
 * ahead of the runs by a few batches at most, so that the number of waiting items is bounded.
 */
export class WorkQueue<Item> {
  readonly #ready: JobItem<Item>[] = [];
  /** Parts of rejected batches, and batches that were not executed: sent first, unchanged. */
  readonly #parts: JobItem<Item>[][] = [];
  /** Places of the items that are being prepared. */
  readonly #preparing = new Set<number>();
  #next = 0;
  #batchLimit = Number.POSITIVE_INFINITY;

  /**
   * @param wantedBatchSize items in a batch that the user and the model allow, read each time
   * @param prepares false: items are sent without preparation
   */
  constructor(
    private readonly items: readonly JobItem<Item>[],
    private readonly wantedBatchSize: () => number,
    private readonly prepares: boolean,
  ) {}

  get preparing(): number {
    return this.#preparing.size;
  }

  get isDrained(): boolean {
    return this.#parts.length === 0 && this.#ready.length === 0 && !this.#peek();
  }

  /** Starts from the states of the items. */
  restart(): void {
    this.#next = 0;
    this.#ready.length = 0;
    this.#parts.length = 0;
    for (const item of this.items) {
      if (item.state === 'planned' && !this.prepares) item.state = 'ready';
      if (item.state === 'ready') this.#ready.push(item);
    }
  }

  /** The next kind of work for a number of requests in flight. Takes no item yet. */
  next(mostInFlight: number): 'run' | 'prepare' | undefined {
    if (this.#canRun()) return 'run';
    const ahead = this.#ready.length + this.#preparing.size;
    return ahead < this.#batchSize() * 3 + mostInFlight && this.#peek() ? 'prepare' : undefined;
  }

  takeBatch(): JobItem<Item>[] {
    const batch = this.#parts.shift() ?? this.#ready.splice(0, this.#batchSize());
    for (const item of batch) item.state = 'inFlight';
    return batch;
  }

  takeUnprepared(): JobItem<Item> | undefined {
    const item = this.#peek();
    if (!item) return undefined;
    this.#next = item.index + 1;
    this.#preparing.add(item.index);
    return item;
  }

  prepared(item: JobItem<Item>): void {
    item.state = 'ready';
    this.#ready.push(item);
  }

  /** The preparation has ended, successful or not; an item that is still `planned` is taken again. */
  preparationEnded(item: JobItem<Item>): void {
    this.#preparing.delete(item.index);
    if (item.state === 'planned') this.#next = Math.min(this.#next, item.index);
  }

  /** The request was not executed: its items are sent again, in these parts. */
  giveBack(parts: readonly (readonly JobItem<Item>[])[]): void {
    for (const item of parts.flat()) item.state = 'ready';
    this.#parts.unshift(...parts.filter((part) => part.length > 0).map((part) => [...part]));
  }

  prepareAgain(items: readonly JobItem<Item>[]): void {
    for (const item of items) {
      item.state = 'planned';
      this.#next = Math.min(this.#next, item.index);
    }
  }

  /** The service accepts no larger batches. */
  capBatch(size: number): void {
    this.#batchLimit = Math.min(this.#batchLimit, size);
  }

  #batchSize(): number {
    return Math.max(1, Math.min(this.wantedBatchSize(), this.#batchLimit));
  }

  /** A full batch, or the last one. */
  #canRun(): boolean {
    if (this.#parts.length > 0 || this.#ready.length >= this.#batchSize()) return true;
    return this.#ready.length > 0 && this.#preparing.size === 0 && !this.#peek();
  }

  /** The first item that is not prepared, in the order of the plan. */
  #peek(): JobItem<Item> | undefined {
    for (let at = this.#next; at < this.items.length; at++) {
      const item = this.items[at];
      if (item?.state === 'planned' && !this.#preparing.has(at)) {
        this.#next = at;
        return item;
      }
    }
    this.#next = this.items.length;
    return undefined;
  }
}
