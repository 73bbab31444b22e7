import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { compareCells } from '../../src/features/experiments/compareCells';
import { FOREIGN_JSON, openJson, openRawResponse, openText } from '../../src/platform/textEditor';

const text = '{ "$schema": "https://a.test/schema.json", "type": "object" }';

describe('JSON of a service', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  /** The JSON language server requests the address of `$schema` in documents of these languages. */
  const assertUnread = (languageId: string | undefined) =>
    assert.ok(languageId !== undefined && !['json', 'jsonc', 'snippets'].includes(languageId), languageId);

  it('opens in a language that no language server reads', async () => {
    assert.ok((await vscode.languages.getLanguages()).includes(FOREIGN_JSON), 'it is colored as JSON');
    const shown = () => vscode.window.activeTextEditor?.document;
    await openJson(JSON.parse(text), '/type');
    assertUnread(shown()?.languageId);
    assert.match(shown()!.getText(), /a\.test/);
    await openRawResponse({ bytes: new TextEncoder().encode(text), contentType: 'application/json' });
    assertUnread(shown()?.languageId);
    for (const language of ['json', 'jsonc', 'snippets']) {
      await openText(text, language);
      assertUnread(shown()?.languageId);
    }
  });

  it('opens in such a language when it is compared', async () => {
    const opened: vscode.TextDocument[] = [];
    const listening = vscode.workspace.onDidOpenTextDocument((document) => opened.push(document));
    try {
      await compareCells({ title: 'one', text }, { title: 'other', text });
    } finally {
      listening.dispose();
    }
    const cells = opened.filter(({ uri }) => uri.scheme === 'model-bench-cell');
    assert.equal(cells.length, 2);
    for (const { languageId } of cells) assertUnread(languageId);
  });
});
