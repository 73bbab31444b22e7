import { HttpError } from '../../../src/sandbox/http/errors';

export interface RateLimitOptions {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** A token bucket: `limit` requests at once, refilled evenly over the window. */
export class RateLimit {
  #tokens: number;
  #refilledAt: number;

  constructor(
    readonly options: RateLimitOptions,
    private readonly now: () => number,
  ) {
    this.#tokens = options.limit;
    this.#refilledAt = now();
  }

  /** Takes one token; returns the headers of a successful response. @throws {HttpError} 429 with `Retry-After` */
  take(): Record<string, string> {
    const perMs = this.options.limit / (this.options.windowSeconds * 1000);
    const now = this.now();
    this.#tokens = Math.min(this.options.limit, this.#tokens + (now - this.#refilledAt) * perMs);
    this.#refilledAt = now;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return this.#headers(perMs);
    }
    const waitSeconds = Math.max(1, Math.ceil((1 - this.#tokens) / perMs / 1000));
    throw new HttpError(429, 'rate_limited', `Too many requests: retry in ${waitSeconds} s.`, {
      headers: { ...this.#headers(perMs), 'Retry-After': String(waitSeconds) },
    });
  }

  /** `X-RateLimit-Reset` is in epoch seconds: when the bucket is full again. */
  #headers(perMs: number): Record<string, string> {
    const fullAt = this.#refilledAt + (this.options.limit - this.#tokens) / perMs;
    return {
      'X-RateLimit-Limit': String(this.options.limit),
      'X-RateLimit-Remaining': String(Math.floor(this.#tokens)),
      'X-RateLimit-Reset': String(Math.ceil(fullAt / 1000)),
    };
  }
}
