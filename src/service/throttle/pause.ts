import { Listeners } from '../../domain/listeners';
import type { BulkPause, PauseReason, RateLimitState } from '../client';
import { type Clock, LONGEST_TIMER_MS } from '../clock';

/**
 * Until when requests to a service are held back, and why. There is one for each service, shared by its origins: an
 * upload is requests to two of them, and a run needs both. Pauses never shorten one another.
 */
export class Pause {
  #rateLimitUntilMs = 0;
  #cappedFromMs: number | undefined;
  #reason: PauseReason = 'rateLimit';
  #serviceMessage: string | undefined;
  #troubleUntilMs = 0;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;
  readonly #listeners = new Listeners();
  /** Calls back when a pause begins, is extended or ends; returns a function to stop that. */
  readonly onDidChange = this.#listeners.add;

  constructor(private readonly clock: Clock) {}

  /** Milliseconds until requests may leave again; 0: now. */
  get leftMs(): number {
    return Math.max(0, this.#rateLimitUntilMs - this.clock.now());
  }

  get rateLimit(): RateLimitState {
    if (this.leftMs === 0) return {};
    return {
      pausedUntilMs: this.#wallTimeOf(this.#rateLimitUntilMs),
      cappedFromMs: this.#cappedFromMs,
      reason: this.#reason,
      ...(this.#serviceMessage !== undefined && { serviceMessage: this.#serviceMessage }),
    };
  }

  /** The pause of bulk work, which failures also extend. */
  get ofBulk(): BulkPause | undefined {
    const untilMs = Math.max(this.#rateLimitUntilMs, this.#troubleUntilMs);
    if (untilMs <= this.clock.now()) return undefined;
    const isRateLimit = untilMs === this.#rateLimitUntilMs && this.#reason === 'rateLimit';
    return {
      untilMs: this.#wallTimeOf(untilMs),
      reason: isRateLimit ? 'rateLimit' : 'trouble',
      ...(isRateLimit && this.#serviceMessage !== undefined && { serviceMessage: this.#serviceMessage }),
    };
  }

  /** The service asked for a pause of everything, perhaps with a sentence of its own. */
  asked(waitMs: number, reason: PauseReason, cappedFromMs?: number, serviceMessage?: string): void {
    const untilMs = this.clock.now() + waitMs;
    if (untilMs > this.#rateLimitUntilMs && !this.#isClosed) {
      this.#rateLimitUntilMs = untilMs;
      this.#cappedFromMs = cappedFromMs;
      this.#reason = reason;
      this.#serviceMessage = serviceMessage;
    }
    this.#changed();
  }

  /** The service failed or could not be reached: bulk work waits. */
  forTrouble(waitMs: number): void {
    const untilMs = this.clock.now() + waitMs;
    if (!this.#isClosed) this.#troubleUntilMs = Math.max(this.#troubleUntilMs, untilMs);
    this.#changed();
  }

  /** Ends every pause, so that waiting requests look for another client. */
  close(): void {
    this.#isClosed = true;
    this.#rateLimitUntilMs = this.#troubleUntilMs = 0;
    this.#changed();
    this.#listeners.clear();
  }

  /** As this computer's clock shows it now: it may be set meanwhile, which neither shortens nor extends a pause. */
  #wallTimeOf(atMs: number): number {
    return Math.round(this.clock.wallTime() + atMs - this.clock.now());
  }

  #changed(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const now = this.clock.now();
    const ends = [this.#rateLimitUntilMs, this.#troubleUntilMs].filter((untilMs) => untilMs > now);
    if (ends.length > 0)
      this.#cancelTimer = this.clock.after(Math.min(...ends.map((end) => end - now), LONGEST_TIMER_MS), () =>
        this.#changed(),
      );
    this.#listeners.call();
  }
}
