import { setTimeout } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { DisposableStore } from '../vscode/disposables';
import type { Log } from '../vscode/log';
import { showError } from '../vscode/showError';

/** Delay before interrupted jobs are read: a window's first seconds belong to others. */
const LATER_MS = 1_500;
/**
 * Waits between looks while another window works on something, or has died: that shows after it was watched for a
 * while, seconds on this machine.
 */
const LOOK_AGAIN_MS = [1_000, 1_000, 1_000, ...Array.from({ length: 15 }, () => 4_000)];

interface Parts {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  storeVersion(): Promise<string | undefined>;
}

interface Offers<J> {
  /** `held`: how many jobs another window works on, or had worked on when it was killed. */
  look(): Promise<{ readonly interrupted: readonly J[]; readonly held: number }>;
  offer(job: J): Promise<void>;
}

/**
 * Offers to resume interrupted jobs of a kind, now and again when killed windows are known to be gone. Loads no code
 * while the store is unchanged since there were none.
 * @param memory key under which the version of the store is remembered in which none was interrupted
 */
export function offerInterrupted<J extends { readonly head: { readonly id: string } }>(
  { context, log, storeVersion }: Parts,
  memory: string,
  load: () => Promise<Offers<J>>,
): vscode.Disposable {
  const store = new DisposableStore();
  const stop = new AbortController();
  const { signal } = stop;
  store.add({ dispose: () => stop.abort() });
  const offerAll = async () => {
    const { look, offer } = await load();
    const offered = new Set<string>();
    for (const wait of LOOK_AGAIN_MS) {
      const { interrupted, held } = await look();
      for (const job of interrupted) {
        if (offered.has(job.head.id)) continue;
        offered.add(job.head.id);
        offer(job).catch((error: unknown) => showError(error, log));
      }
      if (held === 0) {
        if (offered.size === 0) await context.globalState.update(memory, await storeVersion());
        return;
      }
      await setTimeout(wait, undefined, { signal });
    }
  };
  const offerSoon = store.soon(LATER_MS, () => {
    offerAll().catch((error: unknown) => {
      if (!signal.aborted) void showError(error, log);
    });
  });
  void storeVersion().then((version) => {
    if (version !== undefined && context.globalState.get(memory) !== version) offerSoon();
  });
  return store;
}
