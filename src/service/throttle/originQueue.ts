import type { CallKind } from '../call';
import type { PauseReason } from '../client';
import type { Clock } from '../clock';
import { AnnouncedLimit } from './announcedLimit';
import type { BulkPace } from './bulkPace';
import type { Pause } from './pause';

/** The permission to send one request. Exactly one method ends it. */
export interface Pass {
  /** A response other than 429; a healthy one (no 5xx) earns retries. */
  responded(healthy: boolean, headers?: Readonly<Record<string, string>>): void;
  /** No response, or 429 (which `pause` also gets), or it was not sent. */
  failed(): void;
}

interface Waiting {
  readonly kind: CallKind;
  readonly longestWaitMs: number;
  grant(pass: Pass): void;
  /** Undefined: the pause is too long. */
  reject(error: unknown): void;
}

/** After a pause the first request goes alone, and each response doubles how many may follow, up to all. */
const CAREFUL_UNTIL = 64;
/** The service has accepted a request without a 429 after this time: a run may take an hour, a 429 does not. */
const TAKEN_AS_ACCEPTED_MS = 2_000;
/** Retries of an origin: each costs one, each healthy response earns a tenth, and an outage uses them up. */
const MOST_RETRY_TOKENS = 4;
const TOKENS_PER_RESPONSE = 0.1;

/**
 * The requests to one origin that wait for permission to leave. After a 429 they leave carefully. It also keeps
 * the budget of retries, so that a total outage costs hardly more than one request for each operation.
 */
export class OriginQueue {
  /** Requests that may be under way at once; all, unless reopening. */
  #window = Number.POSITIVE_INFINITY;
  /** Requests of the present epoch without a response; those from before the last 429 are not counted. */
  #underWay = 0;
  #epoch = 0;
  #queue: Waiting[] = [];
  #cancelTimer: (() => void) | undefined;
  #tokens = MOST_RETRY_TOKENS;
  readonly #announced = new AnnouncedLimit();

  constructor(
    private readonly clock: Clock,
    private readonly shared: Pause,
    private readonly bulk: BulkPace,
    private readonly random: () => number,
  ) {
    shared.onDidChange(() => this.#pauseChanged());
  }

  /**
   * Waits for permission to send.
   * @param options.tooLong made into the rejection when the pause would last longer than `longestWaitMs`
   */
  enter(options: {
    readonly kind: CallKind;
    readonly signal?: AbortSignal;
    readonly longestWaitMs: number;
    readonly tooLong: (untilMs: number, reason: PauseReason | undefined) => unknown;
    readonly onWait?: () => void;
  }): Promise<Pass> {
    const { kind, signal, longestWaitMs } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const tooLong = () =>
        options.tooLong(this.clock.wallTime() + this.shared.leftMs, this.shared.rateLimit.reason);
      if (this.shared.leftMs > longestWaitMs) return reject(tooLong());
      const onAbort = () => {
        this.#queue = this.#queue.filter((other) => other !== waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        kind,
        longestWaitMs,
        grant: (pass) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(pass);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', onAbort);
          reject(error ?? tooLong());
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#queue.push(waiting);
      this.#pump();
      if (this.#queue.includes(waiting)) options.onWait?.();
    });
  }

  get isPaused(): boolean {
    return this.shared.leftMs > 0;
  }

  /** A 429, or a 503 that names a time: the whole service waits until then, and this origin reopens carefully. */
  pause(
    waitMs: number,
    cappedFromMs?: number,
    reason: PauseReason = 'rateLimit',
    serviceMessage?: string,
  ): void {
    // The jitter only ever adds: clients that were given the same second do not all come in it.
    const jitter = Math.floor(this.random() * Math.min(1_000, 100 + waitMs / 10));
    this.#announced.exceeded();
    this.#epoch++;
    this.#underWay = 0;
    this.#window = 1;
    this.bulk.rateLimited();
    this.shared.asked(waitMs + jitter, reason, cappedFromMs, serviceMessage);
  }

  /** Everything that waits fails now (a rejected key, an empty wallet): sending it would be in vain. */
  stopWaiting(error: unknown, kinds: readonly CallKind[]): void {
    this.#reject(({ kind }) => kinds.includes(kind), error);
  }

  /** Whether one more attempt is within the budget; takes it if so. */
  takeRetry(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #pauseChanged(): void {
    // Who does not wait that long is rejected at once, not at the end.
    const leftMs = this.shared.leftMs;
    this.#reject(({ longestWaitMs }) => leftMs > longestWaitMs, undefined);
    this.#pump();
  }

  #reject(which: (waiting: Waiting) => boolean, error: unknown): void {
    const rejected = this.#queue.filter(which);
    this.#queue = this.#queue.filter((waiting) => !rejected.includes(waiting));
    for (const waiting of rejected) waiting.reject(error);
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (!this.isPaused && this.#queue.length > 0 && this.#underWay < this.#window) {
      const wait = this.#announced.waitMs(this.clock.now());
      if (wait > 0) {
        this.#cancelTimer = this.clock.after(wait, () => this.#pump());
        return;
      }
      this.#queue.shift()?.grant(this.#pass());
    }
  }

  #pass(): Pass {
    const epoch = this.#epoch;
    let open = true;
    this.#underWay++;
    const ended = this.#announced.send(this.clock.now());
    const careful = Number.isFinite(this.#window);
    const leave = (accepted: boolean) => {
      if (!open) return;
      open = false;
      cancel();
      if (epoch !== this.#epoch) return;
      this.#underWay--;
      if (accepted && careful) this.#widen();
      this.#pump();
    };
    const cancel = careful ? this.clock.after(TAKEN_AS_ACCEPTED_MS, () => leave(true)) : () => {};
    return {
      responded: (healthy, headers) => {
        ended(this.clock.now(), headers && { headers, wallTimeMs: this.clock.wallTime() });
        if (healthy) this.#tokens = Math.min(MOST_RETRY_TOKENS, this.#tokens + TOKENS_PER_RESPONSE);
        leave(true);
      },
      failed: () => {
        ended(this.clock.now());
        leave(false);
      },
    };
  }

  #widen(): void {
    const wider = this.#window * 2;
    this.#window = wider > CAREFUL_UNTIL ? Number.POSITIVE_INFINITY : wider;
  }
}
