import type { RateLimitState } from '../client';
import type { Clock } from '../clock';
import { BulkPace } from './bulkPace';
import { OriginQueue } from './originQueue';
import { Pause } from './pause';

/** Decides when the requests of one service may leave: a queue for each of its origins, and one pause for all. */
export class Throttle {
  readonly #pause: Pause;
  /** The pace of this service's jobs. */
  readonly bulk: BulkPace;
  readonly #origins = new Map<string, OriginQueue>();

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number = Math.random,
  ) {
    this.#pause = new Pause(clock);
    this.bulk = new BulkPace(this.#pause);
  }

  /** The queue of an origin; uploads to a foreign store have their own, which reopens as that store allows. */
  origin(origin: string): OriginQueue {
    const queue =
      this.#origins.get(origin) ?? new OriginQueue(this.clock, this.#pause, this.bulk, this.random);
    this.#origins.set(origin, queue);
    return queue;
  }

  get state(): RateLimitState {
    return this.#pause.rateLimit;
  }

  /** Calls back when a pause begins and when it ends; returns a function to stop that. */
  watch(listener: (state: RateLimitState) => void): () => void {
    return this.#pause.onDidChange(() => listener(this.state));
  }

  /** The client is closed: everything that waits fails, and no timer remains. */
  close(error: unknown): void {
    for (const queue of this.#origins.values()) queue.stopWaiting(error, ['read', 'upload', 'run']);
    this.#pause.close();
  }
}
