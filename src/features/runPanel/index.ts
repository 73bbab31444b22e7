import * as vscode from 'vscode';
import { panels, type RunModelArgs } from '../../contributions';
import { registerCommands } from '../../platform/commands';
import type { Services } from '../../services';
import type { RunPanels } from './panels';

/** Run Model…, and run panels that come back with their window. What a panel is made of loads with the first one. */
export function registerRunPanel(services: Services): vscode.Disposable {
  let loaded: Promise<RunPanels> | undefined;
  const load = () => {
    loaded ??= import('./panels').then(({ RunPanels }) => new RunPanels(services));
    return loaded;
  };
  return vscode.Disposable.from(
    { dispose: () => void loaded?.then((all) => all.dispose()) },
    registerCommands(services.log, { 'modelBench.runModel': (args) => runModel(services, load, args) }),
    vscode.window.registerWebviewPanelSerializer(panels.run, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
}

async function runModel(
  services: Services,
  load: () => Promise<RunPanels>,
  args: RunModelArgs | undefined,
): Promise<void> {
  const checked = (await import('./runArgs')).checkedRunArgs(args);
  const model = checked.model ?? (await askedModel(services));
  if (model !== undefined) await (await load()).open({ ...checked, model }, args !== undefined);
}

async function askedModel({ catalog, connection }: Services): Promise<string | undefined> {
  await connection.client();
  const { chooseModel } = await import('../../platform/pickers/chooseModel');
  return (await chooseModel(catalog, { title: vscode.l10n.t('Choose a model to run') }))?.slug;
}
