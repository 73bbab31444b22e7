import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connection } from '../../src/connection/connection';
import type { Environment } from '../../src/domain/environment';
import { setApiKey } from '../../src/features/connect/connect';
import { ServiceError } from '../../src/service/errors';
import type { Services } from '../../src/services';
import type { Log } from '../../src/vscode/log';
import { showError } from '../../src/vscode/showError';

const active: Environment = { name: 'Staging', baseUrl: 'https://staging.test/base' };
const other: Environment = { name: 'drf', baseUrl: 'https://drf.test/base' };
const log = { error: () => undefined, warn: () => undefined } as unknown as Log;

describe('The key that an error asks for', () => {
  const { showErrorMessage, createInputBox } = vscode.window;
  const { executeCommand } = vscode.commands;
  let boxes: vscode.InputBox[];
  let commands: unknown[][];

  beforeEach(() => {
    [boxes, commands] = [[], []];
    Object.assign(vscode.window, {
      // Chooses the first button.
      showErrorMessage: async (_text: string, _options: unknown, ...buttons: unknown[]) => buttons[0],
      createInputBox: () => {
        const box = createInputBox();
        boxes.push(box);
        return box;
      },
    });
    Object.assign(vscode.commands, {
      executeCommand: async (...args: unknown[]) => void commands.push(args),
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showErrorMessage, createInputBox });
    Object.assign(vscode.commands, { executeCommand });
  });

  const services = (environments: readonly Environment[]) => {
    const connection = {
      ...{ active, environments },
      find: (one: Environment) => environments.find(({ baseUrl }) => baseUrl === one.baseUrl),
      requireAllowed: () => undefined,
    };
    return { connection: connection as unknown as Connection } as Services;
  };

  it('belongs to the environment where the error happened', async () => {
    const missing = new ServiceError('notConnected', { why: { reason: 'noKey', environment: other } });
    const rejected = new ServiceError('badKey', { status: 401 });
    rejected.environment = other;
    for (const error of [missing, rejected]) {
      commands = [];
      await showError(error, log);
      assert.deepEqual(commands, [['modelBench.setApiKey', other]]);
    }
  });

  it('opens a box that names the environment and its address', async () => {
    const asked = setApiKey(services([active, other]), other);
    assert.equal(boxes.length, 1);
    assert.match(boxes[0]!.title ?? '', /“drf”/);
    assert.match(boxes[0]!.prompt ?? '', /“drf”.*https:\/\/drf\.test/);
    boxes[0]!.hide();
    boxes[0]!.dispose();
    void asked;
  });

  it('rejects an environment that the settings no longer have', async () => {
    for (const environments of [[active], [active, { ...other, baseUrl: 'https://moved.test' }]])
      await assert.rejects(setApiKey(services(environments), other), { kind: 'notConnected' });
    assert.equal(boxes.length, 0);
  });
});
