import { readdir } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { showError } from '../../platform/showError';
import type { Services } from '../../services';

/** Delay before interrupted jobs are read: a window's first seconds belong to others. */
const LATER_MS = 1_500;

/** Offers to resume interrupted jobs. Without a job's journal in the folder nothing is loaded. */
export function offerInterruptedJobs(services: Services): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;
  const offer = () =>
    import('./resume')
      .then(({ offerResume }) => offerResume(services))
      .catch((error: unknown) => showError(error, services.log));
  readdir(services.jobs.folder).then(
    (names) => {
      if (!isDisposed && names.some((name) => name.endsWith('.jsonl'))) timer = setTimeout(offer, LATER_MS);
    },
    () => undefined,
  );
  return {
    dispose: () => {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}
