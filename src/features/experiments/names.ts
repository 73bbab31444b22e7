import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileTarget } from '../../contributions';
import { EXPERIMENT_SUFFIX } from '../../experiments/file/suffix';
import { activeFile } from '../../platform/fileIntake/openTabs';

/** The documents that experiments are, for VS Code's providers. */
export const EXPERIMENTS = `**/*${EXPERIMENT_SUFFIX}`;

/** Scheme of documents that are compared: the results of cells as text. */
export const CELL_TEXTS = 'model-bench-cell';

export function isExperimentName(path: string): boolean {
  return path.endsWith(EXPERIMENT_SUFFIX);
}

/** The experiment of a command: the one that was passed, else that of the active editor. */
export function targetExperiment(target: FileTarget | undefined): vscode.Uri {
  const uri = target instanceof vscode.Uri ? target : activeFile();
  if (uri && isExperimentName(uri.path)) return uri;
  throw new Error(l10n.t('Open an experiment first: its name ends in .experiment.json.'));
}
