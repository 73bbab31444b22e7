import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { allowedDrops } from '../../src/platform/fileIntake/droppedFiles';

describe('Files dropped on a page', () => {
  const window = vscode.window as { showWarningMessage: unknown };
  const { showWarningMessage } = window;
  let outside: string;
  let inside: string;
  /** The user's questions, and the answer to give. */
  let asked: string[];
  let response: string | undefined;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder, 'the window has a folder');
    inside = await fs.mkdtemp(path.join(folder.uri.fsPath, 'inside-'));
    outside = await fs.mkdtemp(path.join(tmpdir(), 'outside-'));
    await fs.writeFile(path.join(inside, 'cat.png'), 'cat');
    await fs.writeFile(path.join(outside, 'id_rsa'), 'secret');
    await fs.symlink(path.join(outside, 'id_rsa'), path.join(inside, 'link.png'));
    window.showWarningMessage = async (
      message: string,
      options: vscode.MessageOptions,
      ...buttons: readonly vscode.MessageItem[]
    ) => {
      assert.equal(options.modal, true);
      asked.push(`${message}\n${options.detail}`);
      return buttons.find(({ title }) => title === response);
    };
  });
  beforeEach(() => {
    asked = [];
    response = undefined;
  });
  after(async () => {
    window.showWarningMessage = showWarningMessage;
    await fs.rm(inside, { recursive: true });
    await fs.rm(outside, { recursive: true });
  });

  const uriOf = (...parts: string[]) => vscode.Uri.file(path.join(...parts)).toString();
  const taken = async (...texts: string[]) => (await allowedDrops(texts)).map((uri) => uri.toString());

  it('need no question inside an open folder', async () => {
    const cat = uriOf(inside, 'cat.png');
    assert.deepEqual(await taken(cat), [cat]);
    assert.deepEqual(asked, []);
  });

  it('need the user’s consent, by name, when they are outside of it', async () => {
    const secret = uriOf(outside, 'id_rsa');
    assert.deepEqual(await taken(uriOf(inside, 'cat.png'), secret), []);
    assert.equal(asked.length, 1);
    assert.ok(asked[0]?.includes(path.join(outside, 'id_rsa')));
    response = 'Use the File';
    assert.deepEqual(await taken(secret), [secret]);
  });

  it('do not count as inside a folder when their path leads out of it', async () => {
    await taken(`${uriOf(inside)}/../../${path.relative(path.join(inside, '../..'), outside)}/id_rsa`);
    await taken(uriOf(inside, 'link.png'));
    assert.equal(asked.length, 2);
    assert.doesNotMatch(asked.join(''), /\.\./);
  });

  it('need no question when they are open in an editor', async () => {
    const secret = vscode.Uri.file(path.join(outside, 'id_rsa'));
    await vscode.window.showTextDocument(secret, { preview: false });
    assert.deepEqual(await taken(secret.toString()), [secret.toString()]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.deepEqual(asked, []);
  });

  it('fail with a message when they are too many to list', async () => {
    const many = Array.from({ length: 30 }, (_, at) => uriOf(outside, `${at}.png`));
    await assert.rejects(taken(...many), /30 of these files are outside/);
  });
});
