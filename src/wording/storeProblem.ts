import * as l10n from '@vscode/l10n';
import type { NextStep } from '../domain/problems';
import type { StoreFailure } from '../domain/storeProblem';

/** The store's error carries its facts; the room that defines its class stays out of this one. */
export function isStoreFailure(error: unknown): error is Error & StoreFailure {
  return error instanceof Error && error.name === 'StoreProblem';
}

/** The problem of the store, and its fix. */
export function storeProblemText({ kind, folder = '' }: StoreFailure): string {
  switch (kind) {
    case 'missing':
      return l10n.t(
        'This editor runs on a Node.js without SQLite. Update the editor to one based on VS Code 1.105 or later.',
      );
    case 'folder':
      return l10n.t('The folder {0} cannot be written. Check its permissions and who owns it.', folder);
    case 'diskFull':
      return l10n.t(
        'The disk of {0} is full, so the change was not saved. Free some space and try again.',
        folder,
      );
    case 'damaged':
      return l10n.t(
        'The database in {0} is damaged. Nothing was deleted. Close all windows, restore the folder from a backup or move it away, and open a window again.',
        folder,
      );
    case 'locked':
      return l10n.t(
        'Another program holds the database in {0}. Close that program, such as a backup or a database viewer, and try again.',
        folder,
      );
    case 'io':
      return l10n.t('The disk of {0} reported an error. Check the disk.', folder);
    case 'replaced':
      return l10n.t(
        'Another program deleted or replaced the database in {0} while it was open. It was opened again, but the latest changes may be missing. Check Usage before running again.',
        folder,
      );
    case 'notOwner':
      return l10n.t('Another window works on this by now. Nothing was sent from here.');
    case 'closed':
      return l10n.t('This window is being closed, so the change was not saved.');
    case 'inFlight':
      return l10n.t('A request for this item has no outcome yet. It was not sent again.');
  }
}

/** The button that leads on from a problem of the store. */
export function stepAfterStoreProblem({ kind }: StoreFailure): NextStep {
  switch (kind) {
    case 'folder':
    case 'io':
      return 'reloadWindow';
    case 'diskFull':
    case 'locked':
      return 'retry';
    case 'damaged':
      return 'showLog';
    case 'replaced':
      return 'showUsage';
    case 'missing':
    case 'notOwner':
    case 'closed':
    case 'inFlight':
      return 'none';
  }
}

/** A store was made beside that of another version. @param folder of the other one */
export function setAsideText(folder: string): string {
  return l10n.t(
    'The data in {0} are of another version of Model Bench. They were left there, and this version starts without them.',
    folder,
  );
}
