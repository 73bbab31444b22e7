import * as vscode from 'vscode';
import { type ExplorerArgs, type HitTarget, panels } from '../../contributions';
import { isLocalRef } from '../../domain/media';
import type { HitAct } from '../../protocol/search';
import type { Services } from '../../services';
import { executeBuiltIn, executeCommand, registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';

/** Find Similar…, Search Scope…, and search panels that are restored with their window. */
export function registerSearch(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const load = once(async () => store.add(new (await import('./searchPanels')).SearchPanels(services)));
  const commands = () => import('./searchCommands');
  /** @param ofResult does it with the file of a tile of a run's result, in a panel that is not a search */
  const onHit = async (
    { hit, file }: HitTarget,
    act: HitAct,
    ofResult: (file: vscode.Uri) => unknown = () => undefined,
  ) => {
    if (typeof hit !== 'string') return;
    const { active } = await load();
    if (active) await active.actOnHit(hit, act);
    else if (file !== undefined && isLocalRef(file)) await ofResult(vscode.Uri.parse(file, true));
  };
  const reveal = (file: vscode.Uri) => executeBuiltIn('revealInExplorer', file);
  return vscode.Disposable.from(
    store,
    registerCommands(services.log, {
      'modelBench.findSimilar': async (target, selected) => {
        if (target && 'hit' in target)
          return onHit(target, 'findSimilar', (file) => executeCommand('modelBench.findSimilar', file));
        if (target && 'dataset' in target && target.item)
          return (await load()).search(target.dataset!, vscode.Uri.parse(target.item.file));
        return (await commands()).findSimilar(services, await load(), [target as ExplorerArgs[0], selected]);
      },
      'modelBench.searchScope': async (target) =>
        (await commands()).searchScope(services, await load(), target),
      'modelBench.revealFile': async (target = {}) => {
        if ('hit' in target) return onHit(target, 'reveal', reveal);
        if ('item' in target && target.item) await reveal(vscode.Uri.parse(target.item.file));
      },
      'modelBench.searchBack': async () => (await load()).active?.back(),
      'modelBench.copyHitImage': (target = {}) => onHit(target, 'copyImage'),
    }),
    vscode.window.registerWebviewPanelSerializer(panels.search, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
}
