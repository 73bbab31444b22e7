import { Allowance } from './allowance';
import type { RateLimitState } from './client';
import { type Clock, LONGEST_TIMER_MS } from './clock';

/** The leave to send one request. */
export interface Pass {
  /** The service answered something other than 429; only a response that is no failing service's earns retries. */
  answered(healthy: boolean, headers?: Readonly<Record<string, string>>): void;
  /** No response, or 429 (which goes to `pause` as well). */
  failed(): void;
}

interface Waiting {
  readonly kind: 'read' | 'upload' | 'run';
  readonly longestWaitMs: number;
  readonly sinceMs: number;
  grant(pass: Pass): void;
  refuse(error: unknown): void;
}

/** After a pause the first request goes alone, and each response doubles how many may follow, up to all. */
const CAREFUL_UNTIL = 64;
/** A request that has not been refused for so long was let in: a run may take an hour, a 429 does not. */
const TAKEN_AS_LET_IN_MS = 2_000;
/** Retries of an origin: each costs one, each response earns a tenth, and an outage uses up what there is. */
const MOST_RETRY_TOKENS = 4;
const TOKEN_PER_ANSWER = 0.1;

/**
 * One for each origin, in front of every request. A 429 pauses everything at once; afterwards requests go
 * through again carefully. It also keeps the budget of retries, so that a total outage costs hardly more than one
 * request for each operation.
 */
export class Gate {
  #pausedUntilMs = 0;
  #cappedFromMs: number | undefined;
  #rateLimited = 0;
  /** Requests that may be under way at once; all, unless reopening. */
  #window = Number.POSITIVE_INFINITY;
  /** Requests of the present epoch that have not answered; those from before the pause do not count. */
  #underWay = 0;
  #epoch = 0;
  #queue: Waiting[] = [];
  #cancelTimer: (() => void) | undefined;
  #tokens = MOST_RETRY_TOKENS;
  readonly #allowance = new Allowance();
  readonly #listeners = new Set<(state: RateLimitState) => void>();

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number = Math.random,
  ) {}

  get state(): RateLimitState {
    const paused = this.isPaused;
    return {
      pausedUntilMs: paused ? this.#pausedUntilMs : undefined,
      cappedFromMs: paused ? this.#cappedFromMs : undefined,
      rateLimited: this.#rateLimited,
    };
  }

  /** Calls back at each pause and at its end; returns what ends it. */
  watch(listener: (state: RateLimitState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Waits for leave to send.
   * @param options.tooLong made into the rejection when the pause would last longer than `longestWaitMs`
   */
  enter(options: {
    readonly kind: Waiting['kind'];
    readonly signal?: AbortSignal;
    readonly longestWaitMs: number;
    readonly tooLong: (untilMs: number) => unknown;
    readonly onWait?: () => void;
  }): Promise<Pass> {
    const { kind, signal, longestWaitMs } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const now = this.clock.now();
      if (this.#pausedUntilMs - now > longestWaitMs) return reject(options.tooLong(this.#pausedUntilMs));
      const onAbort = () => {
        this.#queue = this.#queue.filter((other) => other !== waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        kind,
        longestWaitMs,
        sinceMs: now,
        grant: (pass) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(pass);
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', onAbort);
          reject(error ?? options.tooLong(this.#pausedUntilMs));
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(waiting);
      this.#pump();
      if (this.#queue.includes(waiting)) options.onWait?.();
    });
  }

  get isPaused(): boolean {
    return this.#pausedUntilMs > this.clock.now();
  }

  /**
   * A 429: nothing more goes out until then. Pauses never shorten one another.
   * @returns the end of the pause, in milliseconds since the epoch
   */
  pause(waitMs: number, cappedFromMs?: number): number {
    // The jitter only ever adds: clients that were told the same second do not all come in it.
    const jitter = Math.floor(this.random() * Math.min(1_000, 100 + waitMs / 10));
    const until = this.clock.now() + waitMs + jitter;
    this.#rateLimited++;
    this.#allowance.refused();
    this.#epoch++;
    this.#underWay = 0;
    this.#window = 1;
    this.hold(until, cappedFromMs);
    return until;
  }

  /** Another origin of the same service has asked for a pause: it holds here too, but says nothing of this one. */
  hold(untilMs: number, cappedFromMs?: number): void {
    const now = this.clock.now();
    if (untilMs > this.#pausedUntilMs) {
      this.#pausedUntilMs = untilMs;
      this.#cappedFromMs = cappedFromMs;
    }
    // Who does not want to wait that long is told at once, not at the end.
    const impatient = this.#queue.filter((waiting) => this.#pausedUntilMs - now > waiting.longestWaitMs);
    this.#queue = this.#queue.filter((waiting) => !impatient.includes(waiting));
    for (const waiting of impatient) waiting.refuse(undefined);
    this.#pump();
    this.#tell();
  }

  /** Everything that waits fails now (a key that is refused, a wallet that is empty): sending it would be in vain. */
  stopWaiting(error: unknown, kinds: readonly Waiting['kind'][]): void {
    const stopped = this.#queue.filter((waiting) => kinds.includes(waiting.kind));
    this.#queue = this.#queue.filter((waiting) => !stopped.includes(waiting));
    for (const waiting of stopped) waiting.refuse(error);
  }

  /** The client is closed: everything that waits fails, and no timer stays behind. */
  close(error: unknown): void {
    this.stopWaiting(error, ['read', 'upload', 'run']);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#listeners.clear();
  }

  /** Whether one more attempt is within the budget; takes it if so. */
  takeRetry(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const left = this.#pausedUntilMs - this.clock.now();
    if (left > 0) {
      if (this.#queue.length > 0 || this.#listeners.size > 0)
        this.#cancelTimer = this.clock.after(Math.min(left, LONGEST_TIMER_MS), () => {
          this.#pump();
          if (this.#pausedUntilMs <= this.clock.now()) this.#tell();
        });
      return;
    }
    while (this.#queue.length > 0 && this.#underWay < this.#window) {
      const wait = this.#allowance.waitMs(this.clock.now());
      if (wait > 0) {
        this.#cancelTimer = this.clock.after(wait, () => this.#pump());
        return;
      }
      const next = this.#queue.shift() as Waiting;
      next.grant(this.#pass());
    }
  }

  #pass(): Pass {
    const epoch = this.#epoch;
    let open = true;
    this.#underWay++;
    const over = this.#allowance.send(this.clock.now());
    const careful = Number.isFinite(this.#window);
    const leave = (letIn: boolean) => {
      if (!open) return;
      open = false;
      cancel();
      if (epoch !== this.#epoch) return;
      this.#underWay--;
      if (letIn && careful) this.#widen();
      this.#pump();
    };
    const cancel = careful ? this.clock.after(TAKEN_AS_LET_IN_MS, () => leave(true)) : () => {};
    return {
      answered: (healthy, headers) => {
        over(this.clock.now(), headers);
        if (healthy) this.#tokens = Math.min(MOST_RETRY_TOKENS, this.#tokens + TOKEN_PER_ANSWER);
        leave(true);
      },
      failed: () => {
        over(this.clock.now());
        leave(false);
      },
    };
  }

  #widen(): void {
    const wider = this.#window * 2;
    this.#window = wider > CAREFUL_UNTIL ? Number.POSITIVE_INFINITY : wider;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.state);
  }
}
