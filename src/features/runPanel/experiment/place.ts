import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ExperimentSetup } from '../../../domain/experimentSetup';
import { commonFolder } from '../../../experiments/inputGlobs';
import type { PanelExperiment } from './handlers';

/**
 * The folder that a panel's files belong to: that of its run file, else the workspace's first. Undefined without a
 * folder on disk.
 */
export function panelFolder({ runFile }: Pick<PanelExperiment, 'runFile'>): vscode.Uri | undefined {
  if (runFile?.scheme === 'file') return vscode.Uri.joinPath(runFile, '..');
  return vscode.workspace.workspaceFolders?.map(({ uri }) => uri).find(({ scheme }) => scheme === 'file');
}

/**
 * Where an experiment is kept: beside the run file or in the workspace folder, above all its inputs. Inputs outside the
 * workspace have theirs beside them. Undefined: there is no folder.
 */
export function experimentFolder(
  panel: Pick<PanelExperiment, 'runFile'>,
  { over }: Pick<ExperimentSetup, 'over'>,
): vscode.Uri | undefined {
  const inputs = inputFolder(over);
  const own = panelFolder(panel);
  if (!inputs || !own) return inputs ?? own;
  const workspaces = [inputs, own].map((uri) => vscode.workspace.getWorkspaceFolder(uri)?.uri.path);
  if (workspaces[0] === workspaces[1]) return own.with({ path: commonFolder([own.path, inputs.path]) });
  return vscode.workspace.getWorkspaceFolder(inputs)?.uri ?? inputs;
}

/** The folder above all inputs. */
export function inputFolder(over: ExperimentSetup['over']): vscode.Uri | undefined {
  if (!over) return undefined;
  if (over.kind === 'files') return vscode.Uri.parse(over.folder, true);
  const file = vscode.Uri.parse(over.file, true);
  return file.with({ path: posix.dirname(file.path) });
}
