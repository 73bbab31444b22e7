import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually';
import { extensionId } from '../support/paths';

const text = JSON.stringify({ version: 1, run: { model: 'm', input: {} } }, null, 2);

describe('An experiment in source control', () => {
  let file: vscode.Uri;
  let provider: vscode.Disposable | undefined;
  before(async () => {
    file = vscode.Uri.file(
      path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'diffed.experiment.json'),
    );
    await writeFile(file.fsPath, text);
    await vscode.extensions.getExtension(extensionId)!.activate();
    // The scheme git may be taken: by the extension of that name.
    provider = vscode.workspace.registerTextDocumentContentProvider('gitlens', {
      provideTextDocumentContent: () => text,
    });
  });
  after(async () => {
    provider?.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(file.fsPath);
  });

  it('opens as text when it is compared with an earlier version, in the oldest VS Code too', async () => {
    await vscode.commands.executeCommand(
      'vscode.diff',
      file.with({ scheme: 'gitlens' }),
      file,
      'before and after',
    );
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(input instanceof vscode.TabInputTextDiff, JSON.stringify(input));
  });

  it('opens as a table by itself', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('vscode.open', file);
    const input = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    await eventually(() => input() instanceof vscode.TabInputCustom);
  });
});
