import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../support/paths';

describe('Inside the extension host', () => {
  it('activates', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, `${extensionId} is not installed`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
