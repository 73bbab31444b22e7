import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { runningProcess, type SimProcess } from './world';

type Replaced = Record<string, unknown>;

/**
 * Runs `work` while code of a simulated process sees that process's clocks, timers and random numbers; all other code
 * sees the real ones.
 */
export async function withSimulatedTime<T>(work: () => Promise<T>): Promise<T> {
  const restore = [
    replace(globalThis as unknown as Replaced, {
      setTimeout: (process: SimProcess, run: () => void, ms = 0) => timer(process, ms, run),
      setInterval: (process: SimProcess, run: () => void, ms = 0) => interval(process, ms, run),
      setImmediate: (process: SimProcess, run: (value?: unknown) => void, value?: unknown) =>
        timer(process, 0, () => run(value)),
      clearTimeout: (_process: SimProcess, one?: Timer) => one?.cancel?.(),
      clearInterval: (_process: SimProcess, one?: Timer) => one?.cancel?.(),
      clearImmediate: (_process: SimProcess, one?: Timer) => one?.cancel?.(),
    }),
    replace(Date as unknown as Replaced, { now: (process: SimProcess) => process.wallNow }),
    replace(performance as unknown as Replaced, { now: (process: SimProcess) => process.monotonicNow }),
    replace(Math as unknown as Replaced, { random: (process: SimProcess) => process.random.next() }),
    replace(crypto as unknown as Replaced, { randomUUID: (process: SimProcess) => uuid(process) }),
    replace(timers as unknown as Replaced, {
      setTimeout: (process: SimProcess, ms = 0) =>
        new Promise<void>((resolve) => timer(process, ms, resolve)),
      setImmediate: (process: SimProcess) => new Promise<void>((resolve) => timer(process, 0, resolve)),
    }),
    replace(AbortSignal as unknown as Replaced, {
      any: (_process, signals: AbortSignal[]) => either(signals),
    }),
  ];
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: functions of any arguments are replaced
type Ours = (process: SimProcess, ...args: any[]) => unknown;

function replace(owner: Replaced, ours: Record<string, Ours>): () => void {
  const undone = Object.entries(ours).map(([name, own]) => {
    const real = owner[name] as (...args: unknown[]) => unknown;
    owner[name] = function (this: unknown, ...args: unknown[]) {
      const process = runningProcess();
      return process ? own(process, ...args) : real.apply(this, args);
    };
    return () => {
      owner[name] = real;
    };
  });
  return () => {
    for (const undo of undone) undo();
  };
}

interface Timer {
  cancel?(): void;
  unref(): Timer;
  ref(): Timer;
}

function timer(process: SimProcess, ms: number, run: () => void): Timer {
  return timerOf(process.world.after(ms, run, process));
}

function interval(process: SimProcess, ms: number, run: () => void): Timer {
  let cancel = () => {};
  const wait = () => {
    cancel = process.world.after(
      Math.max(1, ms),
      () => {
        wait();
        run();
      },
      process,
    );
  };
  wait();
  return timerOf(() => cancel());
}

function timerOf(cancel: () => void): Timer {
  const one: Timer = { cancel, unref: () => one, ref: () => one };
  return one;
}

/**
 * Node.js keeps a combined signal as long as somebody listens to it. A window that was killed never stops listening: half
 * a megabyte of each seed was left, and 8,000 seeds filled the memory.
 */
function either(signals: readonly AbortSignal[]): AbortSignal {
  const both = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) both.abort(signal.reason);
    else signal.addEventListener('abort', () => both.abort(signal.reason), { once: true });
  }
  return both.signal;
}

function uuid({ random }: SimProcess): string {
  const hex = () =>
    Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${hex()}-${hex().slice(0, 4)}-4${hex().slice(0, 3)}-a${hex().slice(0, 3)}-${hex()}${hex().slice(0, 4)}`;
}
