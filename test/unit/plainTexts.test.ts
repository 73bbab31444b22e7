import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outFolder, root } from '../support/paths';
import { windowUses } from '../support/windowUse';

/** The one room that hands texts to VS Code's window, and the log. */
const OWNERS = /^src\/vscode\/(messages\/\w+|log)\.ts$/;

describe('Texts of VS Code’s window', () => {
  // The compiler starts, and reads the program.

  it('pass through vscode/messages and nowhere else', () => {
    let seen = 0;
    const uses = windowUses(root, 'src/tsconfig.json', (file) => {
      seen += 1;
      return file.startsWith('src/') && !OWNERS.test(file);
    });
    assert.deepEqual(uses, []);
    assert.ok(seen > 200, 'the program was read');
  });

  it('lead to a failure if they do not, under any name', () => {
    const ways = [
      'await vscode.window.showErrorMessage(text);',
      'const { showErrorMessage } = vscode.window;',
      'const w = vscode.window;',
      "vscode.window['withProgress'](a, b);",
      'const { window: w } = vscode; void w;',
      'take({ ...vscode });',
      'new vscode.MarkdownString(text);',
      'declare const item: vscode.TreeItem; item.tooltip = text;',
      'declare const panel: vscode.WebviewPanel; panel.title = text;',
      'declare const mark: vscode.MarkdownString; mark.isTrusted = true;',
      "vscode.TestMessage.diff(text, '', '');",
      'class Row extends vscode.TreeItem {} new Row(text);',
      "import { window as w } from 'vscode'; w.showErrorMessage(text);",
      "import { TreeItem as T } from 'vscode'; new T(text);",
    ];
    const allowed = [
      'declare const panel: vscode.WebviewPanel; panel.title = plainLine(text);',
      'vscode.window.showTextDocument(a);',
      'const made: vscode.TreeItem | undefined = undefined; void made;',
      'declare const view: vscode.TreeView<string>; view.description = text;',
    ];
    const folder = mkdtempSync(path.join(outFolder, 'texts-'));
    try {
      symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
      mkdirSync(path.join(folder, 'src'));
      for (const [at, way] of [...ways, ...allowed].entries())
        writeFileSync(
          path.join(folder, `src/${String(at).padStart(2, '0')}.ts`),
          `import * as vscode from 'vscode';\ndeclare const text: string, a: any, b: any;\ndeclare function take(a: unknown): void;\ndeclare function plainLine(a: string): string;\n${way}\nvoid [text, a, b, take, plainLine];\n`,
        );
      const options = {
        module: 'ESNext',
        moduleResolution: 'bundler',
        target: 'ES2023',
        types: [],
        skipLibCheck: true,
      };
      writeFileSync(
        path.join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, include: ['src'] }),
      );
      const found = new Set(
        windowUses(folder, 'tsconfig.json', () => true).map((use) => Number(use.slice(4, 6))),
      );
      assert.deepEqual(
        [...ways.keys()].filter((at) => !found.has(at)).map((at) => ways[at]),
        [],
        'missed',
      );
      assert.deepEqual(
        allowed.filter((_, at) => found.has(ways.length + at)),
        [],
        'found without a reason',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
