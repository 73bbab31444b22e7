import * as l10n from '@vscode/l10n';
import { LONGEST_STOP_MS } from '../commands/followJob';
import type { Terminal } from './terminal';

/** Of Ctrl+C; of `docker stop`, `timeout`, Kubernetes, Slurm and CI services; of a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm, `timeout` and closed terminals send a signal to a process and to its group: at once, twice. */
const SAME_MS = 1_000;

/**
 * The first signal of any kind stops sending, waits a little for the responses of runs that were sent, and lets the
 * call report them; a later one ends the process.
 */
export function stopOnSignals(out: Terminal): AbortSignal {
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) return;
    setTimeout(() => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    }, SAME_MS).unref();
    out.warn(
      l10n.t(
        'Stopping within {0} seconds. A run that was sent may still be executed and charged. Press Ctrl+C again to end at once; runs without a response then stay unconfirmed.',
        LONGEST_STOP_MS / 1000,
      ),
    );
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return stop.signal;
}
