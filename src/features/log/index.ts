import * as vscode from 'vscode';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';

/** Commands of every feature's rows and messages: the log (VS Code's own commands set its level), raw responses, IDs, long lists. */
export function registerLog({ log, wallet }: Services): vscode.Disposable {
  return registerCommands(log, {
    'modelBench.showLog': () => log.show(true),
    'modelBench.copyId': async (target = {}) => {
      const id =
        'model' in target
          ? target.model.slug
          : 'item' in target
            ? target.item?.imageId
            : 'hit' in target && target.hit;
      if (typeof id === 'string') await vscode.env.clipboard.writeText(id);
    },
    'modelBench.showMore': async (more) => {
      if (typeof more === 'function') return more();
      const { state } = wallet;
      const shown = more ?? (state.kind === 'notUnderstood' ? state.raw : undefined);
      return shown && (await import('../../platform/textEditor')).openRawResponse(shown);
    },
  });
}
