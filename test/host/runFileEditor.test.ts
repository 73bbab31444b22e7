import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { extensionId } from '../support/paths';
import { disc } from '../support/sandboxPictures';

describe('Local files that a run file names', () => {
  let root: string;
  let outside: string;
  let document: vscode.TextDocument;

  before(async () => {
    root = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'media of a run file');
    outside = path.join(tmpdir(), `outside-${process.pid}.png`);
    await mkdir(root);
    await writeFile(path.join(root, 'cat #1.png'), disc(200, 0, 0));
    await writeFile(outside, disc(0, 0, 200));
    await symlink(outside, path.join(root, 'link.png'));
    const image = (media_ref: string) => ({ media_ref });
    const input = {
      inside: image('./cat #1.png'),
      link: image('link.png'),
      above: image(path.relative(root, outside)),
      missing: image('none.png'),
    };
    const file = path.join(root, 'media.run.json');
    await writeFile(file, JSON.stringify({ version: 1, model: 'm', input }, null, 2));
    await vscode.extensions.getExtension(extensionId)!.activate();
    document = await vscode.workspace.openTextDocument(file);
  });
  after(async () => {
    await rm(root, { recursive: true });
    await rm(outside);
  });

  const hoverOver = async (text: string): Promise<string> => {
    const at = document.positionAt(document.getText().indexOf(text) + 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at,
    );
    return hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (typeof content === 'string' ? content : content.value))
      .join('\n');
  };

  it('appear on hover, and as links', async () => {
    const shown = await hoverOver('./cat #1.png');
    assert.match(shown, /cat%20%231\.png|cat #1\.png/);
    assert.match(shown, /!\[|<img /);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    const ours = links.filter(({ target }) => target?.scheme === 'file');
    assert.deepEqual(
      ours.map(({ range }) => document.getText(range)),
      ['./cat #1.png'],
    );
    assert.equal(path.basename(ours[0]!.target!.fsPath), 'cat #1.png');
  });

  it('appear neither on hover nor as links outside the workspace, even through a link', async () => {
    for (const text of ['link.png', path.basename(outside), 'none.png'])
      assert.doesNotMatch(await hoverOver(text), /!\[|<img /, text);
  });
});
