/** Time as the client sees it; tests put their own in its place. */
export interface Clock {
  /** Milliseconds of a clock that never goes back or jumps, for waits and pauses. */
  now(): number;
  /** Milliseconds since 1970, as this computer has it at the moment: for dates in headers, and to show. */
  wallTime(): number;
  /** Calls back after `ms`; returns a function to cancel it. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay of `setTimeout`: a greater one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Waits, or rejects with the signal's reason. Longer than a timer can run is waited for in pieces. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  const until = clock.now() + ms;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let cancel = () => {};
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const wait = () => {
      const left = until - clock.now();
      if (left > 0) {
        cancel = clock.after(Math.min(left, LONGEST_TIMER_MS), wait);
        return;
      }
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    wait();
  });
}
