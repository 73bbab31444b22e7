import * as vscode from 'vscode';
import { type ExplorerArgs, type HitTarget, panels } from '../../contributions';
import type { HitAct } from '../../protocol/search';
import type { Services } from '../../services';
import { executeBuiltIn, registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';

/** Find Similar…, Search Scope…, and search panels that are restored with their window. */
export function registerSearch(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const load = once(async () => store.add(new (await import('./searchPanels')).SearchPanels(services)));
  const commands = () => import('./searchCommands');
  const onHit = (act: HitAct) => async (target: HitTarget) => {
    if (typeof target.hit !== 'string' || (await load()).actOnHit(target.hit, act)) return;
    // A tile of a run's result, in a panel that is not a search.
    (await import('./resultHit')).actOnResultHit(target.hit, target.file, act);
  };
  return vscode.Disposable.from(
    store,
    registerCommands(services.log, {
      'modelBench.findSimilar': async (target, selected) => {
        if (target && 'hit' in target) return onHit('findSimilar')(target);
        if (target && 'dataset' in target && target.item)
          return (await load()).search(target.dataset!, vscode.Uri.parse(target.item.file));
        return (await commands()).findSimilar(services, await load(), [target as ExplorerArgs[0], selected]);
      },
      'modelBench.searchScope': async (target) =>
        (await commands()).searchScope(services, await load(), target),
      'modelBench.revealFile': async (target = {}) => {
        if ('hit' in target) return onHit('reveal')(target);
        if ('item' in target && target.item)
          await executeBuiltIn('revealInExplorer', vscode.Uri.parse(target.item.file));
      },
      'modelBench.searchBack': async () => (await load()).active?.back(),
      'modelBench.copyHitImage': (target = {}) => onHit('copyImage')(target),
    }),
    vscode.window.registerWebviewPanelSerializer(panels.search, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
}
