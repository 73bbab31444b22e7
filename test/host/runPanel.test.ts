import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { panels } from '../../src/contributions';
import { eventually } from '../support/eventually';

describe('“Run Model…” inside the extension host', () => {
  const runTabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(panels.run));
  /** Tabs follow their command a moment later. */
  const becomes = (labels: string[]) =>
    eventually(() =>
      assert.deepEqual(
        runTabs().map(({ label }) => label),
        labels,
      ),
    );
  const run = (args: unknown) => vscode.commands.executeCommand('modelBench.runModel', args);
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens a panel of a model, even while the extension is not connected', async () => {
    await run({ model: 'some-model' });
    await becomes(['some-model']);
  });

  it('shows that panel again when nothing more is asked for, and opens another for an input', async () => {
    await run({ model: 'some-model' });
    await becomes(['some-model']);
    await run({ model: 'some-model', input: { text: 'given' } });
    await becomes(['some-model', 'some-model']);
  });

  it('opens nothing for an argument that it cannot read', async () => {
    // Its notification waits for an answer here.
    void run({ model: 5 });
    await run({ model: 'another-model' });
    await becomes(['some-model', 'some-model', 'another-model']);
  });

  it('opens previews in one place, until one of them is asked for without', async () => {
    const kept = ['some-model', 'some-model', 'another-model'];
    await run({ model: 'first-look', preview: true });
    await becomes([...kept, 'first-look']);
    await run({ model: 'second-look', preview: true });
    await becomes([...kept, 'second-look']);
    await run({ model: 'to-work-with' });
    await becomes([...kept, 'to-work-with']);
    await run({ model: 'third-look', preview: true });
    await becomes([...kept, 'to-work-with', 'third-look']);
  });
});
