import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { logLine } from '../../src/domain/logLine';
import { createLog } from '../../src/vscode/log';

describe('The log', () => {
  it('takes lines until it is disposed, and falls silent then, where VS Code’s own throws', () => {
    const plain = vscode.window.createOutputChannel('plain log', { log: true });
    plain.dispose();
    assert.throws(() => plain.info('late'));
    const log = createLog('kind log');
    log.info(logLine`early`);
    assert.equal(log.name, 'kind log');
    log.dispose();
    log.warn(logLine`late`);
    log.debug(logLine`later`);
    log.dispose();
  });
});
