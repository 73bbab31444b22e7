import { readdir } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { showError } from '../../platform/showError';
import type { Services } from '../../services';

/** Delay before interrupted jobs are read: a window's first seconds belong to others. */
const LATER_MS = 1_500;

/** Offers to resume interrupted jobs. Without a job's journal in the folder nothing is loaded. */
export function offerInterruptedJobs(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const offerSoon = store.soon(LATER_MS, () => {
    import('./resume')
      .then(({ offerResume }) => offerResume(services))
      .catch((error: unknown) => showError(error, services.log));
  });
  readdir(services.jobs.folder).then(
    (names) => names.some((name) => name.endsWith('.jsonl')) && offerSoon(),
    () => undefined,
  );
  return store;
}
