import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RunPanel } from '../../support/runPanel';
import { useVSCode } from '../journey';

const SENTIMENT = 'Sentiment (English)';

/** Keybindings of people, valid and invalid. */
const keybindings = [
  {
    key: 'ctrl+alt+1',
    command: 'modelBench.runModel',
    args: { model: 'sentiment', input: { text: 'Bound to a key.' } },
  },
  { key: 'ctrl+alt+2', command: 'modelBench.runModel', args: { model: 5 } },
  { key: 'ctrl+alt+3', command: 'modelBench.runModel', args: 'sentiment' },
  { key: 'ctrl+alt+4', command: 'modelBench.runModel', args: { model: 'sentiment', input: [1] } },
];

describe('The memory of a run panel', () => {
  const icon = new URL('../../../media/icon.png', import.meta.url);
  const journey = useVSCode({ prepare: (workspace) => copyFile(icon, path.join(workspace, 'open me.png')) });

  const open = (model: string) => RunPanel.open(journey.vscode, model);

  it('runs a model by keyboard alone, from the palette to the result', async () => {
    const { vscode } = journey;
    const { keyboard } = vscode.page;
    // Read when the window is loaded again.
    await writeFile(path.join(vscode.userData, 'User', 'keybindings.json'), JSON.stringify(keybindings));
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    await vscode.runCommandThatAsks('Model Bench: Run Model…', 'Choose a model to run', () =>
      keyboard.type(SENTIMENT),
    );
    await vscode.quickInput.locator('.monaco-list-row.focused', { hasText: SENTIMENT }).waitFor();
    await keyboard.press('Enter');
    const panel = await RunPanel.in(vscode, SENTIMENT);
    const isThere = () => panel.field('Text').evaluate((field) => field === document.activeElement);
    for (let stops = 0; stops < 20 && !(await isThere()); stops += 1) await keyboard.press('Tab');
    assert.ok(await isThere(), 'the field is reached by Tab');
    await keyboard.type('What a lovely day.');
    await keyboard.press('Control+Enter');
    await panel.result.getByText('positive').first().waitFor();
  });

  it('restores its work after the panel was closed and opened again', async () => {
    const { vscode } = journey;
    const before = await RunPanel.in(vscode, SENTIMENT);
    await before.tab('Code').click();
    await before.frame.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Python' });
    await before.frame.getByText('import requests').waitFor();
    await vscode.runCommand('View: Close Editor');
    const panel = await open(SENTIMENT);
    await panel.frame.getByText('import requests').waitFor();
    await panel.tab('Form').click();
    assert.equal(await panel.field('Text').inputValue(), 'What a lovely day.');
  });

  it('restores its work, even invalid JSON, after a visit to another editor', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.in(vscode, SENTIMENT);
    await panel.tab('JSON').click();
    const name = 'Input and parameters as JSON';
    await panel.frame.getByRole('textbox', { name }).press('Control+a');
    await vscode.page.keyboard.insertText('{"input": {"text": "half a thou');
    await panel.frame.getByText('The form updates once the JSON is valid').waitFor();
    await vscode.runCommand('File: New Untitled Text File');
    await vscode.activeEditorTab(/Untitled/).waitFor();
    await vscode.editorTab(SENTIMENT).click();
    const back = await RunPanel.in(vscode, SENTIMENT);
    await back.frame.getByText('half a thou').first().waitFor();
    await back.frame.getByText('The form updates once the JSON is valid').waitFor();
  });

  it('restores the panel after a reload of the window: untouched, or with invalid JSON', async () => {
    const { vscode } = journey;
    // A run that is on its way, and a panel without input, behind it.
    const running = await open('Slow Echo');
    await running.fill('Text', 'Lost?');
    await running.frame.getByRole('textbox', { name: 'Seconds' }).fill('60');
    await running.button('Run').click();
    await running.frame.getByText('the run may still be executed and billed').first().waitFor();
    await open('Word Statistics');
    await vscode.editorTab(SENTIMENT).click();
    await RunPanel.in(vscode, SENTIMENT);
    await vscode.reloadByCommand();
    await vscode.editorTab('Word Statistics').click();
    await (await RunPanel.in(vscode, 'Word Statistics')).button('Run').waitFor();
    await vscode.editorTab(SENTIMENT).click();
    const panel = await RunPanel.in(vscode, SENTIMENT);
    await panel.frame.getByText('half a thou').first().waitFor();
    const editor = panel.frame.getByRole('textbox', { name: 'Input and parameters as JSON' });
    // Neither the invalid text is sent, nor an older one in its place; by the keyboard alone.
    await editor.press('Control+Enter');
    const anyway = panel.button('Run without validation');
    await anyway.waitFor();
    // The caret goes to the problem two frames after it is shown, as `focusProblem` does it.
    await panel.frame.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    });
    await anyway.press('Enter');
    await panel.frame.getByText('Not sent. This is not valid JSON (line 1, column').waitFor();
    await panel.button('Restore Last Valid').press('Enter');
    await panel.frame.getByText('The form updates once the JSON is valid').waitFor({ state: 'detached' });
    assert.match(await editor.innerText(), /What a lovely day\./);
    await editor.press('Control+a');
    await vscode.page.keyboard.insertText('{"input": {"text": "What an awful day."}, "params": {}}');
    await panel.frame.getByText('The form updates once the JSON is valid').waitFor({ state: 'detached' });
    await panel.tab('Form').click();
    assert.equal(await panel.field('Text').inputValue(), 'What an awful day.');
    await panel.button('Run').click();
    await panel.result.getByText('negative').first().waitFor();
  });

  it('returns to a run whose window ended before its response: it is unknown, in the history too', async () => {
    const { vscode } = journey;
    await vscode.editorTab('Slow Echo').click();
    const back = await RunPanel.in(vscode, 'Slow Echo');
    await back.result.getByText('Unconfirmed').last().waitFor();
    assert.equal(await back.field('Text').inputValue(), 'Lost?');
    await vscode.runCommand('Model Bench: Focus on History View');
    await vscode
      .treeRow('History', /Lost\?/)
      .filter({ hasText: /unknown/i })
      .waitFor();
    // Its possible cost is separate from the known spending. The other such run may be from before midnight.
    await vscode
      .treeRow('History', /Today/)
      .filter({ hasText: /\$[\d.]+ · [12] unconfirmed/ })
      .waitFor();
    await vscode.screenshot('journeys/run-panel-lost');
  });

  it('keeps each mode’s input, with its files, while another mode is on', async () => {
    const { vscode } = journey;
    const panel = await open('Image Similarity');
    const file = {
      name: 'pasted.png',
      mimeType: 'image/png',
      bytes: await readFile(icon),
    };
    const mode = panel.frame.getByRole('combobox', { name: 'Mode' });
    await mode.selectOption('index');
    const zone = panel.frame.getByRole('button', { name: /Choose, drop or paste/ }).first();
    await vscode.paste(zone, [file]);
    await panel.button('pasted.png').waitFor();
    const id = panel.frame.getByRole('textbox', { name: 'image_ids 1' });
    assert.equal(await id.inputValue(), 'pasted.png');
    await id.fill('my/own/id.png');
    await mode.selectOption('search');
    // The file goes along to the other mode, whose form has no IDs.
    await id.waitFor({ state: 'detached' });
    await panel.button('pasted.png').waitFor();
    await panel.button('Remove').click();
    await panel
      .button('Use the Open Image')
      .or(panel.frame.getByRole('button', { name: /Choose, drop or paste/ }))
      .first()
      .waitFor();
    await mode.selectOption('index');
    assert.equal(await id.inputValue(), 'my/own/id.png');
    await (await vscode.revealInExplorer('open me.png')).dblclick();
    await vscode.activeEditorTab('open me.png').waitFor();
    await vscode.editorTab('Image Similarity').click();
    const again = await RunPanel.in(vscode, 'Image Similarity');
    await again.button('Use the Open Image').click();
    await again.frame.getByRole('textbox', { name: 'image_ids 2' }).waitFor();
    await again.button('Run').click();
    await again.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
    await again.tab('Code').click();
    await again.frame.getByText('/api/media/upload/init').first().waitFor();
    await again.frame.getByText('open me.png').first().waitFor();
    await again.tab('Form').click();
    await vscode.screenshot('journeys/run-panel-index');
    await again.frame.getByRole('combobox', { name: 'Mode' }).selectOption('search');
    await again.button('Use the Open Image').click();
    await again.button('open me.png').waitFor();
    await again.button('Run').click();
    // Files indexed here appear as the user's own pictures.
    await again.result.locator('mb-hits canvas').nth(1).waitFor();
    const hit = again.result.locator('mb-hits .tile', { hasText: 'my/own/id.png' });
    await hit.waitFor();
    await hit.click({ button: 'right' });
    for (const entry of ['Reveal in Explorer', 'Find Similar', 'Copy ID'])
      await vscode.menuItem(entry).waitFor();
    await vscode.screenshot('journeys/result-menu');
    await vscode.page.keyboard.press('Escape');
    await hit.hover();
    await hit.getByRole('button', { name: 'Open: my/own/id.png', exact: true }).click();
    await vscode.activeEditorTab(/\.png$/).waitFor();
    await vscode.screenshot('journeys/run-panel-search');
  });

  it('takes its argument from a keybinding, and rejects an invalid one in words', async () => {
    const { vscode } = journey;
    const { keyboard } = vscode.page;
    await vscode.runCommand('View: Close All Editors');
    await keyboard.press('Control+Alt+1');
    const panel = await RunPanel.in(vscode, SENTIMENT);
    assert.equal(await panel.field('Text').inputValue(), 'Bound to a key.');
    for (const [key, words] of [
      ['2', /“model” must be a string/],
      ['3', /takes an object/],
      ['4', /“input” must be an object/],
    ] as const) {
      await vscode.runCommand('Model Bench: Focus on Catalog View');
      await keyboard.press(`Control+Alt+${key}`);
      await vscode.notification(words).waitFor();
    }
    await vscode.clearNotifications();
  });
});
