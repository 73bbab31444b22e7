import type * as vscode from 'vscode';
import { offerInterrupted } from '../../platform/interruptedJobs';
import type { Services } from '../../services';

/** The version of the store in which no job was interrupted. */
const NONE_INTERRUPTED = 'indexing.noneInterrupted';

/** Offers to resume interrupted jobs. */
export function offerInterruptedJobs(services: Services): vscode.Disposable {
  return offerInterrupted(services, NONE_INTERRUPTED, async (signal) =>
    (await import('./resume')).offerResume(services, signal),
  );
}
