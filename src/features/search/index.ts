import * as vscode from 'vscode';
import { type ExplorerArgs, panels } from '../../contributions';
import type { Services } from '../../services';
import { executeBuiltIn, registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';

/** Find Similar…, Search Scope…, and search panels that are restored with their window. */
export function registerSearch(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const load = once(async () => store.add(new (await import('./searchPanels')).SearchPanels(services)));
  const commands = () => import('./searchCommands');
  return vscode.Disposable.from(
    store,
    registerCommands(services.log, {
      'modelBench.findSimilar': async (target, selected) => {
        const [panels, { findSimilar, tileFile }] = [await load(), await commands()];
        if (target && 'hit' in target) {
          const file = tileFile(target, panels);
          return file && (panels.active?.searchFile(file) ?? findSimilar(services, panels, [file]));
        }
        if (target && 'dataset' in target && target.item)
          return panels.search(target.dataset!, vscode.Uri.parse(target.item.file));
        return findSimilar(services, panels, [target as ExplorerArgs[0], selected]);
      },
      'modelBench.searchScope': async (target) =>
        (await commands()).searchScope(services, await load(), target),
      'modelBench.revealFile': async (target = {}) => {
        const file =
          'hit' in target
            ? (await commands()).tileFile(target, await load())
            : 'item' in target && target.item && vscode.Uri.parse(target.item.file);
        if (file) await executeBuiltIn('revealInExplorer', file);
      },
      'modelBench.searchBack': async () => (await load()).active?.back(),
      'modelBench.copyHitImage': async ({ hit = '' } = {}) => (await load()).active?.copyImage(hit),
    }),
    vscode.window.registerWebviewPanelSerializer(panels.search, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
}
