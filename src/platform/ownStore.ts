import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { loggedError } from '../domain/loggedError';
import { logLine } from '../domain/logLine';
import type { Store } from '../store/store';
import type { Log } from '../vscode/log';
import { showWarningMessage } from '../vscode/messages/notifications';
import { showError } from '../vscode/showError';
import { withSlowProgress } from '../vscode/slowProgress';
import { setAsideText } from '../wording/storeProblem';

/** From the opening to the removal of data without an owner: a window that starts has other work to do. */
const SWEEP_AFTER_MS = 60_000;

/**
 * Opens the store in the extension's global storage; the caller opens it once and closes it. Problems of opening or
 * writing it are shown here with their next step, even without a command of the user.
 */
export async function openOwnStore(context: vscode.ExtensionContext, log: Log): Promise<Store> {
  const folder = context.globalStorageUri.fsPath;
  const open = async () => {
    const { openStore, storeFolder } = await import('../store/store');
    return openStore(storeFolder(folder), {
      log: (message) => log.warn(message),
      onReplaced: (problem) => void showError(problem, log),
      onSetAside: (aside) => void showWarningMessage(setAsideText(aside)),
    });
  };
  try {
    const store = await withSlowProgress(l10n.t('Opening the data of Model Bench…'), open, {
      cancellable: false,
    });
    sweepLater(store, log);
    return store;
  } catch (error) {
    void showError(error, log);
    throw error;
  }
}

function sweepLater(store: Store, log: Log): void {
  setTimeout(() => {
    store
      .sweep()
      .catch((error: unknown) => log.warn(logLine`Unused data could not be removed: ${loggedError(error)}`));
  }, SWEEP_AFTER_MS).unref();
}
