import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../contributions';
import { readExperiment } from '../../experiments/file/read';

/** The actions of the experiment in an editor, above its first brace. */
export function codeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const { root } = readExperiment(document.getText());
  if (!root) return [];
  const place = document.positionAt(root.offset);
  const command: CommandId = 'modelBench.runExperiment';
  const title = `$(play) ${l10n.t('Run')}`;
  return [new vscode.CodeLens(new vscode.Range(place, place), { command, title, arguments: [document.uri] })];
}
