import * as vscode from 'vscode';
import { customEditors, views } from '../../contributions';
import { loggedError } from '../../domain/loggedError';
import { offerInterrupted } from '../../platform/interruptedJobs';
import type { Services } from '../../services';
import { executeBuiltIn, registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { LazyTree } from '../../vscode/lazyTree';
import { createTreeView } from '../../vscode/messages/views';
import { once } from '../../vscode/once';
import { showError } from '../../vscode/showError';
import { ExperimentRuns } from './experimentRuns';
import { CELL_TEXTS, EXPERIMENTS, isExperimentName, targetExperiment } from './names';
import type { ExperimentsTree } from './view/tree';

/** The version of the store in which no experiment was interrupted. */
const NONE_INTERRUPTED = 'experiments.noneInterrupted';

/** Experiments in editors, and their runs. Only names are looked at before the first experiment is open. */
export function registerExperiments(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const runs = store.add(new ExperimentRuns(services));
  const diagnostics = once(async () => {
    const { ExperimentDiagnostics } = await import('./diagnostics');
    return store.add(new ExperimentDiagnostics(services));
  });
  // A controller shows the Testing icon: there is none before an experiment with thresholds.
  const tests = once(async () => {
    const { ThresholdTests } = await import('./thresholdTests');
    return store.add(new ThresholdTests(services));
  });
  let hasTests = false;
  const list = async (document: vscode.TextDocument) => {
    const text = document.getText();
    hasTests ||= text.includes('"thresholds"');
    if (hasTests) (await tests()).take(document.uri, text);
  };
  const begin = (document: vscode.TextDocument) => {
    if (!isExperimentName(document.uri.path)) return;
    void diagnostics();
    list(document).catch((error: unknown) => services.log.warn(loggedError(error)));
  };
  vscode.workspace.textDocuments.forEach(begin);
  const tree = new LazyTree<vscode.Uri, ExperimentsTree>(
    async () => new (await import('./view/tree')).ExperimentsTree(services, runs),
  );
  const view = createTreeView(views.experiments, { treeDataProvider: tree });
  return vscode.Disposable.from(
    store,
    tree,
    view,
    view.onDidChangeVisibility(({ visible }) => tree.loaded?.show(visible)),
    vscode.workspace.onDidOpenTextDocument(begin),
    vscode.workspace.onDidSaveTextDocument(begin),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      import('./renamedExperiments')
        .then(({ moveResults }) => moveResults(services, runs, files))
        .catch((error: unknown) => showError(error, services.log));
    }),
    vscode.languages.registerCodeLensProvider(
      { pattern: EXPERIMENTS },
      { provideCodeLenses: async (document) => (await import('./codeLenses')).codeLenses(document) },
    ),
    registerCommands(services.log, {
      'modelBench.runExperiment': (file) => runs.start(targetExperiment(file), 'missing'),
      'modelBench.checkDrift': async (file) =>
        (await import('./checkDrift')).checkDrift(services, runs, targetExperiment(file)),
      'modelBench.pauseExperiment': (file) => runs.pause(targetExperiment(file)),
      'modelBench.cancelExperiment': (file) => runs.cancel(targetExperiment(file)),
      'modelBench.openExperimentAt': async (file, customId) => {
        const uri = targetExperiment(file);
        runs.askForTable(uri, customId);
        await executeBuiltIn('vscode.open', uri);
      },
      'modelBench.compareExperiment': async (file) =>
        (await import('./compareWith')).compareExperiment(services, runs, targetExperiment(file)),
      'modelBench.experimentWithModel': async (...args) =>
        (await import('./experimentWithModel')).experimentWithModel(services, runs, args),
      'modelBench.measureSearch': async (of) =>
        (await import('./measureSearch')).measureSearch(services, runs, of?.dataset),
      'modelBench.auditIndex': async (of) =>
        (await import('./auditIndex')).auditIndex(services, runs, of?.dataset),
      'modelBench.newExperiment': async (...args) =>
        (await import('./experimentWithModel')).newExperiment(services, runs, args),
      'modelBench.useVariation': async (file, target = { variation: 0 }) =>
        (await import('./useVariation')).useVariation(services, targetExperiment(file), target),
    }),
    offerInterrupted(services, NONE_INTERRUPTED, async () => {
      const { offerExperiment } = await import('./offerInterrupted');
      return {
        look: () => runs.lookForInterrupted(),
        offer: (job) => offerExperiment(services, runs, job),
      };
    }),
    vscode.workspace.registerTextDocumentContentProvider(CELL_TEXTS, {
      provideTextDocumentContent: async (uri) => (await import('./compareCells')).cellText(uri),
    }),
    vscode.window.registerCustomEditorProvider(customEditors.experiment, {
      resolveCustomTextEditor: async (document, panel) => {
        // It may be closed while its code loads.
        let isClosed = false;
        const listening = panel.onDidDispose(() => {
          isClosed = true;
        });
        const { ExperimentEditor } = await import('./editor');
        listening.dispose();
        if (!isClosed) new ExperimentEditor(document, panel, services, runs);
      },
    }),
  );
}
