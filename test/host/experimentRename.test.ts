import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually';
import { extensionId } from '../support/paths';

describe('An experiment that is renamed', () => {
  const root = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const at = (...names: string[]) => path.join(root(), ...names);
  before(() => vscode.extensions.getExtension(extensionId)!.activate());
  after(async () => {
    for (const name of ['renamed', 'before.experiment.json', 'before.results.jsonl', 'before.results'])
      await rm(at(name), { recursive: true, force: true });
  });

  it('takes its results and their folder with it', async () => {
    const line = '{"custom_id":"a","state":"finished","result_file":"before.results/a.png"}\n';
    await writeFile(at('before.experiment.json'), '{"version":1,"run":{"model":"m","input":{}}}');
    await writeFile(at('before.results.jsonl'), line);
    await mkdir(at('before.results'));
    await writeFile(at('before.results', 'a.png'), 'picture');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(
      vscode.Uri.file(at('before.experiment.json')),
      vscode.Uri.file(at('renamed', 'after.experiment.json')),
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
    const isThere = (...names: string[]) =>
      stat(at(...names)).then(
        () => true,
        () => false,
      );
    await eventually(() => isThere('renamed', 'after.results', 'a.png'));
    assert.equal(await readFile(at('renamed', 'after.results.jsonl'), 'utf8'), line);
    assert.deepEqual(await Promise.all([isThere('before.results.jsonl'), isThere('before.results')]), [
      false,
      false,
    ]);
  });
});
