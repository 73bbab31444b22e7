import type { Database } from './database';

/** Repeats a change of at most `limit` rows until it finds no more; between two changes the thread is free. */
export async function inSteps(
  database: Database,
  limit: number,
  change: (limit: number) => number,
): Promise<void> {
  for (;;) {
    const changed = await database.write(() => change(limit));
    if (changed < limit) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
