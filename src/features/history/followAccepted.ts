import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clientOf } from '../../connection/clientOf';
import { loggedError } from '../../domain/loggedError';
import type { RunRecord } from '../../domain/runRecord';
import type { Services } from '../../services';
import type { Store } from '../../store/store';
import { DisposableStore } from '../../vscode/disposables';
import { withProgress } from '../../vscode/messages/notifications';

/**
 * Runs that a service has accepted are asked for from the moment that a window uses the store: after a reload, and when
 * another window with them was closed. It is free of charge.
 */
export function registerAcceptedRuns(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const stop = new AbortController();
  owned.add({ dispose: () => stop.abort() });
  const log = (error: unknown) => {
    if (!stop.signal.aborted) services.log.warn(loggedError(error));
  };
  owned.add(
    services.onDidOpenStore((store) => {
      followJobs(services, store, stop.signal).catch(log);
      followHistory(services, owned, stop.signal, log).catch(log);
    }),
  );
  return owned;
}

/** Also runs that become accepted later. */
async function followHistory(
  services: Services,
  owned: DisposableStore,
  signal: AbortSignal,
  log: (error: unknown) => void,
): Promise<void> {
  const history = await services.history();
  const followed = new Set<string>();
  const look = () => {
    for (const record of history.runs.accepted()) {
      if (followed.has(record.id) || signal.aborted) continue;
      followed.add(record.id);
      ask(services, record, signal).catch(log);
    }
  };
  owned.add({ dispose: history.onDidChange(look) });
  look();
}

async function ask(services: Services, record: RunRecord, signal: AbortSignal, once = false) {
  const { followRecord } = await import('../../runs/perform');
  const parts = { history: await services.history(), guard: await services.guard() };
  return followRecord(
    { ...parts, client: (environment) => services.connection.client(environment) },
    record,
    { signal, once, timeoutMs: await timeoutMs() },
  );
}

async function followJobs(services: Services, store: Store, signal: AbortSignal): Promise<void> {
  const { followAccepted } = await import('../../jobs/followAccepted');
  const { acceptedExperimentRuns } = await import('../../experiments/plan/acceptedRuns');
  const { acceptedIndexRuns } = await import('../../indexing/acceptedRuns');
  const { ResultsWriter } = await import('../../experiments/results/resultsWriter');
  const options = { signal, timeoutMs: await timeoutMs() };
  const client = clientOf(services.connection);
  const experiments = acceptedExperimentRuns(store, client);
  await Promise.all([
    followAccepted(
      {
        ...experiments,
        ended: ({ head }) =>
          new ResultsWriter(store.experimentResults, head.results, (error) =>
            services.log.warn(loggedError(error)),
          ).poke(),
      },
      undefined,
      options,
    ),
    followAccepted(acceptedIndexRuns(store, client), undefined, options),
  ]);
}

/** The user asks for an accepted run again: its outcome is in the history when this resolves, if there is one. */
export async function askAgain(services: Services, record: RunRecord): Promise<void> {
  const { record: now } = await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Asking for the run…'),
      cancellable: true,
    },
    (_, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return ask(services, record, stop.signal, true);
    },
  );
  if (now.state === 'accepted')
    throw new Error(l10n.t('The service has not finished the run yet. It is asked again in the background.'));
}

/** Loaded on first use, as the settings' schemas take time at activation. */
async function timeoutMs(): Promise<number> {
  const { readSetting } = await import('../../vscode/settings');
  return readSetting('runTimeoutSeconds') * 1000;
}
