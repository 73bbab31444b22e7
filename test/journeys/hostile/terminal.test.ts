import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RunPanel } from '../../support/runPanel';
import { useVSCode } from '../journey';

const ECHO = 'Slow Echo';

describe('Run in Terminal beside hostile modules, with workspace trust on', () => {
  let trap: string;
  const journey = useVSCode({
    restricted: true,
    // The text of a terminal is in the page, not on a canvas.
    settings: { 'terminal.integrated.gpuAcceleration': 'off' },
    prepare: async (workspace) => {
      trap = path.join(workspace, 'trap.txt');
      const code = `import os\nopen(${JSON.stringify(trap)}, "w").write(os.environ.get("MODEL_BENCH_API_KEY", ""))\n`;
      for (const name of ['requests.py', 'json.py', 'os.py'])
        await writeFile(path.join(workspace, name), code);
      for (const name of ['python3', 'python3.exe', 'node', 'node.cmd', 'sh'])
        await writeFile(path.join(workspace, name), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    },
  });
  const runInTerminal = async (panel: RunPanel, language = 'Python') => {
    await panel.tab('Code').click();
    await panel.frame.getByLabel('Language').selectOption({ label: language });
    await panel.button('Run in Terminal').click();
  };

  it('opens no terminal before the workspace is trusted', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    const panel = await RunPanel.open(vscode, ECHO);
    await panel.field('Text').fill('Hello');
    await panel.fill('Seconds', '0');
    await runInTerminal(panel);
    assert.match(await vscode.notificationText(/trusted/), /after you have trusted this workspace/);
    assert.equal(await vscode.page.locator('.terminal-wrapper').count(), 0);
    await vscode.screenshot('journeys/hostile/terminal-restricted');
    assert.equal(existsSync(trap), false);
  });

  it('runs the programs of PATH, with their own modules, once it is trusted', async () => {
    const { vscode } = journey;
    const { page } = vscode;
    await vscode.runCommand('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await page.locator('.workspace-trust-editor.trusted').waitFor();
    const panel = await RunPanel.open(vscode, ECHO);
    for (const language of ['Python', 'JavaScript', 'curl']) {
      await runInTerminal(panel, language);
      const ended = page
        .locator('.terminal-wrapper.active .xterm-rows')
        .filter({ hasText: 'to close the terminal' });
      await ended.waitFor();
      assert.match((await ended.innerText()).replaceAll(/\s+/g, ' '), /Hello.*Finished\./, language);
      await vscode.runCommand('Terminal: Kill the Active Terminal Instance');
      await ended.waitFor({ state: 'hidden' });
    }
    await vscode.screenshot('journeys/hostile/terminal-trusted');
    assert.equal(existsSync(trap), false);
  });
});
