import * as vscode from 'vscode';
import {
  type ExplorerArgs,
  type HitTarget,
  panels,
  type ScopesRow,
  type ScopeTarget,
} from '../../contributions';
import type { HitAct } from '../../protocol/search';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';

/** Find Similar Images…, Search Scope…, and search panels that are restored with their window. */
export function registerSearch(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const load = once(async () => store.add(new (await import('./searchPanels')).SearchPanels(services)));
  const commands = () => import('./searchCommands');
  const findSimilar = async (...args: ExplorerArgs) =>
    (await commands()).findSimilar(services, await load(), args);
  const onHit = (act: HitAct) => async (target?: HitTarget) => {
    if (typeof target?.hit !== 'string') return;
    if ((await load()).actOnHit(target.hit, act)) return;
    // A tile of a run's result, in a panel that is not a search.
    (await import('./resultHit')).actOnResultHit(target.hit, target.file, act);
  };
  return vscode.Disposable.from(
    store,
    registerCommands(services.log, {
      'modelBench.findSimilar': findSimilar,
      'modelBench.searchWithFile': findSimilar,
      'modelBench.searchScope': async (target?: ScopeTarget | ScopesRow) =>
        (await commands()).searchScope(services, await load(), target),
      'modelBench.searchWithItem': async (row?: ScopesRow) => {
        if (row?.dataset && row.item)
          await (await load()).search(row.dataset, vscode.Uri.parse(row.item.file));
      },
      'modelBench.searchBack': async () => (await load()).active?.back(),
      'modelBench.pinSearch': async () => (await load()).active?.pin(true),
      'modelBench.unpinSearch': async () => (await load()).active?.pin(false),
      'modelBench.openHit': onHit('open'),
      'modelBench.revealHit': onHit('reveal'),
      'modelBench.findSimilarHit': onHit('findSimilar'),
      'modelBench.copyHitId': onHit('copyId'),
      'modelBench.copyHitImage': onHit('copyImage'),
    }),
    vscode.window.registerWebviewPanelSerializer(panels.search, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
}
