import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { panels } from '../../contributions';
import { grantedFiles, runsAtOnce } from '../../platform/grantedFiles';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';

/** Run Model…, and run panels that return with their window. A panel's code loads with the first one. */
export function registerRunPanel(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const load = once(async () => {
    const panels = store.add(new (await import('./panels')).RunPanels(services));
    services.runPanels.active = () => panels.active;
    return panels;
  });
  const target = () => import('../../platform/runFiles/target');
  return vscode.Disposable.from(
    store,
    registerCommands(services.log, {
      'modelBench.runModel': async (args) => {
        const checked = (await import('./runArgs')).checkedRunArgs(args);
        const model = checked.model ?? (await askedModel(services));
        if (model !== undefined)
          await (await load()).open(
            { ...checked, model, preview: checked.preview ?? args === undefined },
            grantedFiles(args),
            runsAtOnce(args),
          );
      },
      'modelBench.runModelWithFile': async (...args) =>
        (await import('./runWithFile')).runWithFile(services, args),
      'modelBench.openModelToSide': async (node) => {
        const model = node?.model.slug ?? (await askedModel(services));
        if (model !== undefined) await (await load()).openToSide(model);
      },
      'modelBench.showPanelCode': async () => (await load()).active?.act('showCode'),
      'modelBench.openRunFile': async (file) => {
        const uri = (await target()).targetFile(file);
        await (await load()).openFile(uri);
      },
      'modelBench.runFile': async (file) => {
        const uri = (await target()).targetFile(file);
        await (await load()).runFile(uri);
      },
    }),
    vscode.window.registerWebviewPanelSerializer(panels.run, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
}

async function askedModel({ catalog, connection }: Services): Promise<string | undefined> {
  const environment = await connection.connected();
  const { chooseModel } = await import('../../platform/pickers/chooseModel');
  return (await chooseModel(catalog.of(environment), { title: l10n.t('Choose a model to run') }))?.slug;
}
