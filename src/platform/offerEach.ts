import { setTimeout } from 'node:timers/promises';

/**
 * Waits between looks while another window works on something, or has died: that shows after it was watched for a
 * while, seconds on this machine.
 */
const LOOK_AGAIN_MS = [1_000, 1_000, 1_000, ...Array.from({ length: 15 }, () => 4_000)];

/**
 * Offers interrupted jobs, now and again when killed windows are known to be gone.
 * @param look finds them; `held`: how many jobs another window works on, or had worked on when it was killed
 * @param offer must not reject
 * @returns whether there was none, and none that another window works on
 */
export async function offerEach<J extends { readonly head: { readonly id: string } }>(
  look: () => Promise<{ readonly interrupted: readonly J[]; readonly held: number }>,
  offer: (job: J) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const offered = new Set<string>();
  for (const wait of LOOK_AGAIN_MS) {
    const { interrupted, held } = await look();
    for (const job of interrupted) {
      if (offered.has(job.head.id)) continue;
      offered.add(job.head.id);
      offer(job);
    }
    if (held === 0) return offered.size === 0;
    await setTimeout(wait, undefined, { signal });
  }
  return false;
}
