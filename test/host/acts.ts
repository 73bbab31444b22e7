import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as VSCode from 'vscode';

type Api = typeof VSCode;

/**
 * VS Code's behaviour that the extension relies on, act by act. Both the stand-in and the real extension hosts run
 * them, so that a panel test can be believed: an act that differs fails in one of them.
 */
export function describeActs(load: () => Promise<Api>): void {
  let vscode: Api;
  let folder: string;
  const file = (name: string) => vscode.Uri.file(path.join(folder, name));
  const bytes = (text: string) => new TextEncoder().encode(text);
  const codeOf = (work: Thenable<unknown>) =>
    work.then(
      () => 'none',
      (error: { code?: string }) => error.code,
    );
  before(async () => {
    vscode = await load();
    folder = await mkdtemp(path.join(tmpdir(), 'mb-acts-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('encodes and decodes the parts of a URI', () => {
    const uri = vscode.Uri.file('/a b/ü#?.png');
    assert.equal(uri.toString(), 'file:///a%20b/%C3%BC%23%3F.png');
    assert.deepEqual([uri.scheme, uri.path, uri.query], ['file', '/a b/ü#?.png', '']);
    assert.equal(vscode.Uri.parse(uri.toString()).fsPath, uri.fsPath);
  });

  it('joins and replaces the parts of a URI', () => {
    const uri = vscode.Uri.joinPath(vscode.Uri.parse('file:///a/b'), '..', 'c', 'd.txt');
    assert.equal(uri.path, '/a/c/d.txt');
    assert.equal(uri.with({ path: '/e', fragment: 'f' }).toString(), 'file:///e#f');
    assert.equal(vscode.Uri.from({ scheme: 'x', path: '/y', query: 'z=1' }).toString(), 'x:/y?z%3D1');
  });

  it('compares positions, and puts the ends of a range in order', () => {
    const range = new vscode.Range(3, 5, 1, 2);
    assert.deepEqual([range.start.line, range.start.character, range.end.line], [1, 2, 3]);
    assert.ok(range.contains(new vscode.Position(2, 0)));
    assert.ok(!range.contains(new vscode.Range(0, 0, 2, 0)));
    assert.ok(new vscode.Position(1, 2).isBefore(range.end));
  });

  it('calls listeners until they are disposed, in order', () => {
    const emitter = new vscode.EventEmitter<number>();
    const seen: string[] = [];
    const first = emitter.event((value) => seen.push(`first ${value}`));
    emitter.event((value) => seen.push(`second ${value}`));
    emitter.fire(1);
    first.dispose();
    emitter.fire(2);
    emitter.dispose();
    emitter.fire(3);
    assert.deepEqual(seen, ['first 1', 'second 1', 'second 2']);
  });

  it('adds listeners to the disposables that are given', () => {
    const emitter = new vscode.EventEmitter<number>();
    const owned: VSCode.Disposable[] = [];
    const seen: number[] = [];
    emitter.event((value) => seen.push(value), undefined, owned);
    emitter.fire(1);
    for (const one of owned) one.dispose();
    emitter.fire(2);
    assert.deepEqual([owned.length, seen], [1, [1]]);
  });

  it('disposes several things as one', () => {
    const seen: string[] = [];
    const both = vscode.Disposable.from(new vscode.Disposable(() => seen.push('a')), {
      dispose: () => seen.push('b'),
    });
    both.dispose();
    assert.deepEqual(seen.sort(), ['a', 'b']);
  });

  it('cancels a token once', () => {
    const source = new vscode.CancellationTokenSource();
    let calls = 0;
    source.token.onCancellationRequested(() => calls++);
    source.cancel();
    source.cancel();
    assert.deepEqual([source.token.isCancellationRequested, calls], [true, 1]);
  });

  it('escapes text in Markdown', () => {
    const text = new vscode.MarkdownString('**a** ').appendText('[b](c) _d_>\n`e`').value;
    assert.equal(text, '**a** \\[b\\]\\(c\\)&nbsp;\\_d\\_\\>\n\n\\`e\\`');
  });

  it('numbers the members of enums', () => {
    assert.deepEqual(
      [
        vscode.TreeItemCollapsibleState.Collapsed,
        vscode.ProgressLocation.Notification,
        vscode.ViewColumn.Beside,
        vscode.QuickPickItemKind.Separator,
        vscode.DiagnosticSeverity.Warning,
        vscode.FileType.Directory,
        vscode.FileType.SymbolicLink,
        vscode.ConfigurationTarget.Global,
        vscode.StatusBarAlignment.Right,
        vscode.InputBoxValidationSeverity.Error,
        vscode.CompletionItemKind.Property,
      ],
      [1, 15, -2, -1, 1, 2, 64, 1, 2, 3, 9],
    );
  });

  it('makes tree items of labels and of URIs', () => {
    const named = new vscode.TreeItem('a', vscode.TreeItemCollapsibleState.Expanded);
    assert.deepEqual([named.label, named.collapsibleState], ['a', 2]);
    const ofFile = new vscode.TreeItem(vscode.Uri.file('/b/c.png'));
    assert.deepEqual(
      [ofFile.label, ofFile.resourceUri?.path, ofFile.collapsibleState],
      [undefined, '/b/c.png', 0],
    );
  });

  it('keeps what icons, colors and patterns are made of', () => {
    assert.equal(new vscode.ThemeIcon('play', new vscode.ThemeColor('charts.red')).color?.id, 'charts.red');
    assert.equal(new vscode.RelativePattern(vscode.Uri.file('/a'), '*.png').baseUri.path, '/a');
    assert.equal(vscode.CodeActionKind.QuickFix.value, 'quickfix');
  });

  it('writes, reads and describes files, with the folders that they need', async () => {
    const { fs } = vscode.workspace;
    await fs.writeFile(file('in/new/folder.txt'), bytes('text'));
    assert.equal(new TextDecoder().decode(await fs.readFile(file('in/new/folder.txt'))), 'text');
    const facts = await fs.stat(file('in/new/folder.txt'));
    assert.deepEqual([facts.type, facts.size], [vscode.FileType.File, 4]);
    assert.equal((await fs.stat(file('in'))).type, vscode.FileType.Directory);
  });

  it('lists, renames and deletes files', async () => {
    const { fs } = vscode.workspace;
    await fs.createDirectory(file('list'));
    await fs.writeFile(file('list/a'), bytes('1'));
    await fs.rename(file('list/a'), file('list/b'));
    assert.deepEqual(await fs.readDirectory(file('list')), [['b', vscode.FileType.File]]);
    await fs.delete(file('list'), { recursive: true });
    assert.equal(await codeOf(fs.stat(file('list'))), 'FileNotFound');
  });

  it('names the kind of a file system error', async () => {
    const { fs } = vscode.workspace;
    assert.equal(await codeOf(fs.readFile(file('not there'))), 'FileNotFound');
    assert.equal(await codeOf(fs.readDirectory(file('not there'))), 'FileNotFound');
    assert.ok(vscode.FileSystemError.FileNotFound() instanceof Error);
  });

  it('reads the bytes of a file as a plain array', async () => {
    await vscode.workspace.fs.writeFile(file('bytes'), new Uint8Array([0, 255, 10]));
    const read = await vscode.workspace.fs.readFile(file('bytes'));
    assert.deepEqual([...read], [0, 255, 10]);
    assert.ok(read instanceof Uint8Array);
  });

  it('runs a command with its arguments, and gives its result', async () => {
    const command = vscode.commands.registerCommand('acts.add', (a: number, b: number) => a + b);
    assert.equal(await vscode.commands.executeCommand('acts.add', 2, 3), 5);
    command.dispose();
  });

  it('rejects with what a command throws', async () => {
    const command = vscode.commands.registerCommand('acts.fail', () => {
      throw new Error('as it is');
    });
    await assert.rejects(Promise.resolve(vscode.commands.executeCommand('acts.fail')), /as it is/);
    command.dispose();
  });

  it('keeps text in the clipboard', async () => {
    await vscode.env.clipboard.writeText('copied ü');
    assert.equal(await vscode.env.clipboard.readText(), 'copied ü');
  });

  it('gives the default of a setting until it is set', async () => {
    const read = () => vscode.workspace.getConfiguration('modelBench').get('history.limit');
    assert.equal(read(), 200);
    const settings = vscode.workspace.getConfiguration('modelBench');
    await settings.update('history.limit', 7, vscode.ConfigurationTarget.Global);
    try {
      assert.equal(read(), 7);
      assert.equal(vscode.workspace.getConfiguration().get('modelBench.history.limit'), 7);
      const found = vscode.workspace.getConfiguration('modelBench').inspect('history.limit');
      assert.deepEqual([found?.defaultValue, found?.globalValue], [200, 7]);
    } finally {
      await settings.update('history.limit', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.equal(read(), 200);
  });

  it('gives the fallback for a setting that does not exist', () => {
    assert.equal(vscode.workspace.getConfiguration('modelBench').get('not there'), undefined);
    assert.equal(vscode.workspace.getConfiguration('modelBench').get('not there', 'instead'), 'instead');
  });

  it('reports which settings have changed', async () => {
    const seen: boolean[][] = [];
    const listening = vscode.workspace.onDidChangeConfiguration((event) =>
      seen.push([
        event.affectsConfiguration('modelBench'),
        event.affectsConfiguration('modelBench.history'),
        event.affectsConfiguration('modelBench.wallet'),
      ]),
    );
    const settings = vscode.workspace.getConfiguration('modelBench');
    await settings.update('history.limit', 9, vscode.ConfigurationTarget.Global);
    await settings.update('history.limit', undefined, vscode.ConfigurationTarget.Global);
    listening.dispose();
    assert.ok(seen.length > 0);
    for (const one of seen) assert.deepEqual(one, [true, true, false]);
  });

  it('opens a text that is not saved, in its language', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'a\nbc', language: 'json' });
    assert.deepEqual(
      [document.isUntitled, document.languageId, document.lineCount, document.getText()],
      [true, 'json', 2, 'a\nbc'],
    );
  });

  it('finds offsets and positions in a text', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'ab\ncd\n' });
    assert.equal(document.offsetAt(new vscode.Position(1, 1)), 4);
    const position = document.positionAt(4);
    assert.deepEqual([position.line, position.character], [1, 1]);
    assert.equal(document.getText(new vscode.Range(0, 1, 1, 1)), 'b\nc');
    assert.equal(document.lineAt(1).text, 'cd');
  });

  it('opens a file once, and edits it without saving', async () => {
    await vscode.workspace.fs.writeFile(file('edit.txt'), bytes('one two'));
    const opened = await vscode.workspace.openTextDocument(file('edit.txt'));
    const document = await vscode.workspace.openTextDocument(file('edit.txt'));
    // VS Code may close a document that no editor shows at any time.
    assert.ok(document === opened || opened.isClosed);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, 0, 3), '1');
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    assert.deepEqual([document.getText(), document.isDirty, document.version > 1], ['1 two', true, true]);
    const read = await vscode.workspace.fs.readFile(file('edit.txt'));
    assert.equal(new TextDecoder().decode(read), 'one two');
    assert.equal(await document.save(), true);
    assert.equal(document.isDirty, false);
  });

  it('reports a change of a text', async () => {
    await vscode.workspace.fs.writeFile(file('event.txt'), bytes('a'));
    const document = await vscode.workspace.openTextDocument(file('event.txt'));
    const seen: string[] = [];
    const listening = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) seen.push(event.document.getText());
    });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 1), 'b');
    await vscode.workspace.applyEdit(edit);
    listening.dispose();
    assert.ok(seen.includes('ab'));
    await document.save();
  });

  it('keeps the problems of a file until they are replaced or deleted', () => {
    const problems = vscode.languages.createDiagnosticCollection('acts');
    const uri = vscode.Uri.file('/acts/a.json');
    problems.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'wrong')]);
    assert.equal(problems.get(uri)?.[0]?.message, 'wrong');
    assert.equal(problems.get(uri)?.[0]?.severity, vscode.DiagnosticSeverity.Error);
    problems.delete(uri);
    assert.equal(problems.has(uri), false);
    problems.dispose();
  });

  it('knows the folder of a file, and its path in that folder', () => {
    const [own] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(own, 'a folder is open');
    const inside = vscode.Uri.joinPath(own.uri, 'a', 'b.png');
    assert.equal(vscode.workspace.getWorkspaceFolder(inside)?.uri.path, own.uri.path);
    assert.equal(vscode.workspace.asRelativePath(inside), 'a/b.png');
    assert.equal(vscode.workspace.getWorkspaceFolder(vscode.Uri.file('/elsewhere/c')), undefined);
  });

  it('shows a status bar item with what it was given', () => {
    const item = vscode.window.createStatusBarItem('acts', vscode.StatusBarAlignment.Right, 1);
    item.text = '$(beaker) 1';
    item.show();
    assert.equal(item.text, '$(beaker) 1');
    item.dispose();
  });

  it('runs work with progress, and gives its result', async () => {
    const location = vscode.ProgressLocation.Window;
    const result = await vscode.window.withProgress({ location, title: 'acts' }, async (progress, token) => {
      progress.report({ message: 'half' });
      return token.isCancellationRequested ? 'cancelled' : 'done';
    });
    assert.equal(result, 'done');
  });

  it('reads a document of a scheme of the extension’s own', async () => {
    const provider = { provideTextDocumentContent: (uri: VSCode.Uri) => `of ${uri.path}` };
    const registered = vscode.workspace.registerTextDocumentContentProvider('acts', provider);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('acts:/x'));
    assert.equal(document.getText(), 'of /x');
    registered.dispose();
  });
}
