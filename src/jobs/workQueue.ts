import type { PayloadShape } from '../indexing/payload';
import type { JobItem } from './jobJournal';

/**
 * What a job sends next: a batch whose files are uploaded before another upload, parts of refused batches before
 * all. Uploads run ahead of the runs by a few batches and no further, so that what waits is bounded.
 */
export class WorkQueue {
  readonly #ready: JobItem[] = [];
  /** Parts of refused batches, and batches to be sent again: they go first, as they are. */
  readonly #parts: JobItem[][] = [];
  /** Items that are being uploaded, by their place. */
  readonly #busy = new Set<number>();
  #next = 0;
  #batchLimit = Number.POSITIVE_INFINITY;

  /** `wanted`: files in a batch as the user set it, read anew each time. */
  constructor(
    private readonly items: readonly JobItem[],
    private readonly shape: PayloadShape,
    private readonly wanted: () => number,
  ) {}

  get uploading(): number {
    return this.#busy.size;
  }

  get isDrained(): boolean {
    return this.#parts.length === 0 && this.#ready.length === 0 && !this.#peek();
  }

  /** Begins anew from the states of the items. */
  restart(): void {
    this.#next = 0;
    this.#ready.length = 0;
    for (const item of this.items) if (item.state === 'uploaded') this.#ready.push(item);
  }

  /** What there is to send while so many requests may be in flight. Nothing is taken yet. */
  next(mostInFlight: number): 'run' | 'upload' | undefined {
    if (this.#canRun()) return 'run';
    const ahead = this.#ready.length + this.#busy.size;
    return ahead < this.#batchSize() * 3 + mostInFlight && this.#peek() ? 'upload' : undefined;
  }

  takeBatch(): JobItem[] {
    const batch = this.#parts.shift() ?? this.#ready.splice(0, this.#batchSize());
    for (const item of batch) item.state = 'inFlight';
    return batch;
  }

  takeUpload(): JobItem | undefined {
    const item = this.#peek();
    if (!item) return undefined;
    this.#next = item.index + 1;
    this.#busy.add(item.index);
    return item;
  }

  /** The upload is over, well or not; one that is still `planned` comes up again. */
  uploadEnded(item: JobItem): void {
    this.#busy.delete(item.index);
    if (item.state === 'planned') this.#next = Math.min(this.#next, item.index);
  }

  uploaded(item: JobItem): void {
    item.state = 'uploaded';
    this.#ready.push(item);
  }

  /** Nothing was executed: the files are sent again, in these parts. */
  giveBack(parts: readonly JobItem[][]): void {
    for (const item of parts.flat()) item.state = 'uploaded';
    this.#parts.unshift(...parts.filter((part) => part.length > 0));
  }

  /** These are uploaded once more. */
  uploadAgain(items: readonly JobItem[]): void {
    for (const item of items) {
      item.state = 'planned';
      this.#next = Math.min(this.#next, item.index);
    }
  }

  /** The service takes no batches as large as that. */
  capBatch(size: number): void {
    this.#batchLimit = Math.min(this.#batchLimit, size);
  }

  #batchSize(): number {
    const size = Math.min(this.wanted(), this.shape.maxItems, this.#batchLimit);
    return this.shape.list ? Math.max(1, size) : 1;
  }

  /** A full batch, or the last of all. */
  #canRun(): boolean {
    if (this.#parts.length > 0 || this.#ready.length >= this.#batchSize()) return true;
    return this.#ready.length > 0 && this.#busy.size === 0 && !this.#peek();
  }

  /** The next file that is not uploaded; those that must be tried again are before the others. */
  #peek(): JobItem | undefined {
    for (let at = this.#next; at < this.items.length; at++) {
      const item = this.items[at];
      if (item?.state === 'planned' && !this.#busy.has(at)) {
        this.#next = at;
        return item;
      }
    }
    this.#next = this.items.length;
    return undefined;
  }
}
