import * as l10n from '@vscode/l10n';
import type { RunTarget } from '../../contributions';
import type { RunRecord } from '../../domain/runRecord';
import type { Services } from '../../services';
import { showInputBox } from '../../vscode/messages/inputs';
import { onRun, targetRuns } from './kept';

/** The user's notes on stored runs: a pin, which keeps them beyond the limit, and a name. */

const MOST_NAME = 200;

export const pinRuns = pinning(
  true,
  () => l10n.t('Pin Runs'),
  ({ pinned }) => !pinned,
);

export const unpinRuns = pinning(
  false,
  () => l10n.t('Unpin Runs'),
  ({ pinned }) => pinned === true,
);

function pinning(pinned: boolean, title: () => string, fits: (run: RunRecord) => boolean) {
  return async (services: Services, rows: readonly RunTarget[]): Promise<void> => {
    const history = await services.history();
    const offered = pinned ? undefined : () => history.runs.pinned();
    const runs = await targetRuns(services, rows, { title: title(), many: true, fits, offered });
    for (const { id } of runs) await history.mark(id, { pinned });
  };
}

export const renameRun = onRun(renameTitle, async (run, services) => {
  const name = await showInputBox({
    title: renameTitle(),
    prompt: l10n.t('Leave it empty to show the name of the model.'),
    placeHolder: run.modelName,
    value: run.name ?? '',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim().length > MOST_NAME ? l10n.t('Enter at most {0} characters.', MOST_NAME) : undefined,
  });
  if (name !== undefined) await (await services.history()).mark(run.id, { name: name.trim() });
});

function renameTitle(): string {
  return l10n.t('Rename Run');
}
