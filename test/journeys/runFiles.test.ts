import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { accessibilityViolations } from '../support/axe';
import { eventually } from '../support/eventually';
import { RunPanel } from '../support/runPanel';
import { goTo } from '../support/textEditor';
import type { VSCode } from '../support/vscode';
import { useVSCode } from './journey';

let workspace: string;
const fileAt = (name: string) => path.join(workspace, name);
const requestIn = async (name: string) =>
  JSON.parse(await readFile(fileAt(name), 'utf8')) as Record<string, unknown>;

describe('Run files', () => {
  const journey = useVSCode({
    prepare: async (folder) => {
      workspace = folder;
      await writeFile(fileAt('new.run.json'), '');
      await writeFile(
        fileAt('tested.run.json'),
        JSON.stringify(
          {
            version: 1,
            name: 'A good day is good',
            model: 'sentiment',
            input: { text: 'What a lovely day.' },
            expect: [{ at: '/label', equals: 'negative' }, { maxSeconds: 60 }],
          },
          null,
          2,
        ),
      );
    },
  });

  it('grow from nothing by completion alone', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    await vscode.openText('new.run.json');
    await complete(vscode, /^Run file/);
    await complete(vscode, /^sentiment/);
    await vscode.screenshot('journeys/run-file-model');
    await goTo(vscode, '4:15');
    await complete(vscode, /^text/);
    await vscode.page.keyboard.type('All good here');
    await vscode.runCommand('File: Save');
    await eventually(async () => {
      assert.deepEqual(await requestIn('new.run.json'), {
        version: 1,
        model: 'sentiment',
        input: { text: 'All good here' },
        params: {},
      });
    });
    await vscode.screenshot('journeys/run-file-completed');
  });

  it('show squiggles of the model’s own contract, with fixes', async () => {
    const { vscode } = journey;
    await goTo(vscode, '4:17');
    // "text" becomes "txet".
    for (const key of ['Delete', 'Delete', 'Delete', 'x', 'e', 't', 'Escape'])
      await vscode.page.keyboard.press(key);
    await vscode.page.locator('.squiggly-error').first().waitFor();
    await goTo(vscode, '4:18');
    await vscode.page.keyboard.press('Control+.');
    await vscode.page.getByText('Rename “txet” to “text”').first().waitFor();
    await vscode.screenshot('journeys/run-file-fix');
    await vscode.page.keyboard.press('Enter');
    await vscode.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await vscode.runCommand('File: Save');
    await eventually(async () => {
      assert.deepEqual((await requestIn('new.run.json')).input, { text: 'All good here' });
    });
  });

  it('open in a panel, which saves into them, follows their editor, and can be undone there', async () => {
    const { vscode } = journey;
    await vscode.clickCodeLens('Open in Panel');
    const panel = await RunPanel.in(vscode, /new\.run\.json/);
    await panel.fill('Text', 'Not good at all.');
    await vscode.editorTab('● new.run.json').waitFor();
    await vscode.screenshot('journeys/run-file-panel');
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
    await panel.button('Save').click();
    await eventually(async () =>
      assert.deepEqual((await requestIn('new.run.json')).input, { text: 'Not good at all.' }),
    );
    await vscode.editorTab('● new.run.json').waitFor({ state: 'detached' });
    // The editor undoes the panel's edit, and the panel follows.
    await vscode.page.locator('.monaco-editor .view-line').first().click();
    await vscode.page.keyboard.press('Control+z');
    await eventually(async () =>
      assert.equal(
        await panel.frame.getByRole('textbox', { name: 'Text', exact: true }).first().inputValue(),
        'All good here',
      ),
    );
    await vscode.runCommand('File: Save');
  });

  it('run from their editor, with each expectation in the result', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.openText('tested.run.json');
    await vscode.clickCodeLens('Run');
    const panel = await RunPanel.in(vscode, /tested\.run\.json/);
    await panel.result.getByText('1 of 2 expectations passed').waitFor();
    const failed = panel.result.locator('.checks .failed');
    assert.match((await failed.innerText()).replaceAll(/\s+/g, ' '), /Wanted "negative" Got "positive"/);
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
    await vscode.screenshot('journeys/run-file-result');
  });

  it('become tests: one question, and a diff on failure', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.runCommand('Testing: Focus on Test Explorer View');
    const tests = vscode.page.locator('.test-explorer .monaco-list-row');
    await tests.filter({ hasText: 'A good day is good' }).waitFor();
    assert.equal(await tests.count(), 1, 'a file without expectations is no test');
    await vscode.runCommand('Test: Run All Tests');
    const question = await vscode.dialogText();
    assert.match(question, /Run “A good day is good” in “.+”\?/);
    assert.match(question, /1 run, about/);
    await vscode.screenshot('journeys/run-file-test-question');
    await vscode.clickDialogButton('Run');
    await tests.filter({ has: vscode.page.locator('.codicon-testing-failed-icon') }).waitFor();
    await vscode.openFile('tested.run.json');
    await vscode.page.getByText('/label equals "negative"').first().waitFor();
    await vscode.screenshot('journeys/run-file-test-failed');
  });

  it('pass a common check without a run', async () => {
    const { vscode } = journey;
    await writeFile(
      fileAt('broken.run.json'),
      '{ "model": "sentiment", "input": { "txet": "a" }, "hardware_tier": "x" }',
    );
    await vscode.runCommand('Model Bench: Check Run Files');
    assert.match(await vscode.notificationText(/Checked/), /Checked 3 run files: 3 problems in 1 of them\./);
  });
});

describe('Run files of an untrusted repository', () => {
  const journey = useVSCode({
    restricted: true,
    prepare: async (folder) => {
      workspace = folder;
      const hostile = {
        model: 'sentiment',
        name: '[click](command:workbench.action.quit)',
        input: {
          text: 'a',
          image: { media_ref: '../../../../etc/passwd' },
          other: { media_ref: 'file:///etc/passwd' },
        },
        expect: [{ status: 'finished' }],
      };
      await writeFile(fileAt('hostile.run.json'), JSON.stringify(hostile, null, 2));
      await writeFile(fileAt('good.run.json'), '{ "model": "sentiment", "input": { "text": "a" } }');
      await writeFile(fileAt('huge.run.json'), `{"model":"${'a'.repeat(5_000_000)}"}`);
      await writeFile(fileAt('deep.run.json'), '['.repeat(500_000));
    },
  });

  it('do nothing by being opened, and are sent only after Run and a confirmation', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    for (const name of ['deep.run.json', 'huge.run.json', 'hostile.run.json']) await vscode.openText(name);
    await vscode.page.locator('.squiggly-error').first().waitFor();
    await vscode.runCommand('Model Bench: Run File');
    assert.match(await vscode.notificationText(/was not run/), /Fix|outside|path relative/);
    await vscode.screenshot('journeys/run-file-hostile');
    await vscode.clearNotifications();
    await vscode.openText('good.run.json');
    await vscode.runCommand('Model Bench: Run File');
    assert.match(await vscode.dialogText(), /workspace that you have not trusted/);
    await vscode.clickDialogButton('Cancel');
    await vscode.runCommand('Model Bench: Focus on History View');
    await vscode.welcome('History').waitFor();
    await vscode.runCommand('Model Bench: Run File');
    await vscode.clickDialogButton('Run');
    const panel = await RunPanel.in(vscode, /good\.run\.json/);
    await panel.result
      .getByText(/Finished in/)
      .first()
      .waitFor();
  });
});

/** Asks for completion, and accepts the item. */
async function complete(vscode: VSCode, label: RegExp): Promise<void> {
  const row = vscode.page
    .locator('.suggest-widget.visible .monaco-list-row')
    .filter({ hasText: label })
    .first();
  for (let tries = 0; tries < 10 && !(await row.isVisible()); tries += 1) {
    await vscode.page.keyboard.press('Escape');
    await vscode.page.keyboard.press('Control+Space');
    await row.waitFor({ timeout: 3000 }).catch(() => undefined);
  }
  await row.click();
}
