import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually';
import { extensionId } from '../support/paths';

const right = JSON.stringify({ version: 1, model: 'm', input: {} });

describe('Problems of run files that are not open', function () {
  this.timeout(60_000);
  let root: string;
  const at = (name: string) => vscode.Uri.file(path.join(root, name));
  const problemsIn = (name: string) => vscode.languages.getDiagnostics(at(name)).length;

  before(async () => {
    root = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'problems');
    await mkdir(path.join(root, 'folder'), { recursive: true });
    for (const name of ['repaired', 'deleted', 'folder/moved'])
      await writeFile(at(`${name}.run.json`).fsPath, '{ "version": 1, "model": ');
    await vscode.extensions.getExtension(extensionId)!.activate();
  });
  after(() => rm(root, { recursive: true }));

  it('go when a file is repaired on the disk or deleted, or its folder is renamed', async function () {
    // A server that was installed without native modules has no search.
    const hasSearch = await vscode.workspace.findFiles('**/*.run.json').then(
      () => true,
      () => false,
    );
    if (!hasSearch) this.skip();
    // Its message waits for an answer here, so the command does not end.
    void vscode.commands.executeCommand('modelBench.checkRunFiles');
    const names = ['repaired.run.json', 'deleted.run.json', 'folder/moved.run.json'];
    await eventually(() => names.every((name) => problemsIn(name) > 0));
    await writeFile(at('repaired.run.json').fsPath, right);
    await rm(at('deleted.run.json').fsPath);
    await rename(at('folder').fsPath, at('renamed').fsPath);
    await eventually(() => names.every((name) => problemsIn(name) === 0));
    assert.equal(problemsIn('repaired.run.json'), 0);
  });
});
