import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readSetting } from '../../src/vscode/settings';
import { isOfMachine } from '../../src/vscode/settingWarning';
import { extensionId } from '../support/paths';

const names = [
  'runTimeoutSeconds',
  'indexing.concurrency',
  'indexing.batchSize',
  'indexing.respectGitignore',
  'history.limit',
  'budget.session',
  'budget.workspace',
  'budget.confirmRuns',
  'wallet.lowBalance',
] as const;

describe('Settings', () => {
  const show = vscode.window.showWarningMessage;
  const changed = new Set<string>();
  let warnings: string[];
  const set = async (name: string, value: unknown) => {
    changed.add(name);
    await vscode.workspace
      .getConfiguration('modelBench')
      .update(name, value, vscode.ConfigurationTarget.Global);
  };

  beforeEach(() => {
    warnings = [];
    (vscode.window as { showWarningMessage: unknown }).showWarningMessage = async (text: string) => {
      warnings.push(text);
    };
  });
  afterEach(async () => {
    (vscode.window as { showWarningMessage: unknown }).showWarningMessage = show;
    for (const name of changed) await set(name, undefined);
    changed.clear();
  });

  it('equal the defaults of package.json when they are unset, without a warning', () => {
    const settings = vscode.workspace.getConfiguration('modelBench');
    for (const name of names) assert.equal(readSetting(name), settings.inspect(name)?.defaultValue, name);
    assert.deepEqual(warnings, []);
  });

  it('return valid values unchanged, and an amount of money also from text', async () => {
    await set('indexing.concurrency', 3);
    await set('budget.session', '2.50');
    assert.equal(readSetting('indexing.concurrency'), 3);
    assert.equal(readSetting('budget.session'), '2.50');
    assert.deepEqual(warnings, []);
  });

  it('fall back to their default for a wrong type or range, with one warning', async () => {
    await set('indexing.batchSize', 'many');
    await set('runTimeoutSeconds', -5);
    for (let time = 0; time < 3; time++) {
      assert.equal(readSetting('indexing.batchSize'), 16);
      assert.equal(readSetting('runTimeoutSeconds'), 0);
    }
    assert.deepEqual(warnings, [
      'The setting modelBench.indexing.batchSize must be a whole number from 1 to 1000. Until it is, the default applies (16).',
      'The setting modelBench.runTimeoutSeconds must be a whole number of at least 0. Until it is, the default applies (0).',
    ]);
  });

  it('delete no run when those of the history cannot be read', async () => {
    for (const value of ['unlimited', 0, -1, 2.5, 1e9, {}, true]) {
      await set('history.limit', value);
      assert.equal(readSetting('history.limit'), undefined, String(value));
    }
    assert.match(warnings[0] ?? '', /history\.limit must be a whole number .* no run is deleted/);
  });

  it('count as the machine’s when their scope is machine', () => {
    const { packageJSON } = vscode.extensions.getExtension(extensionId)!;
    const groups = packageJSON.contributes.configuration as {
      properties: Record<string, { scope: string }>;
    }[];
    const properties = groups.flatMap((group) => Object.entries(group.properties));
    assert.ok(properties.length > 10);
    for (const [name, { scope }] of properties) assert.equal(isOfMachine(name), scope === 'machine', name);
  });
});
