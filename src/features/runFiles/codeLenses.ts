import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../contributions';
import { modelIn, readRunFile } from '../../runFiles/read';

/** The actions of the run file in an editor, above its first brace. */
export function codeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const file = readRunFile(document.getText());
  if (!file.root || modelIn(file) === undefined) return [];
  const place = document.positionAt(file.root.offset);
  const range = new vscode.Range(place, place);
  const lens = (command: CommandId, title: string) =>
    new vscode.CodeLens(range, { command, title, arguments: [document.uri] });
  return [
    lens('modelBench.runFile', `$(play) ${l10n.t('Run')}`),
    lens('modelBench.openRunFile', l10n.t('Open in Panel')),
    lens('modelBench.compareRuns', l10n.t('Compare with Last Run')),
  ];
}
