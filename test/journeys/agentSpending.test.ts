import assert from 'node:assert/strict';
import { connect } from '../support/connect';
import { useServices } from '../support/services';
import { useVSCode } from './journey';

describe('The permission of agents to spend, in VS Code’s own boxes', () => {
  const services = useServices();
  const journey = useVSCode();

  it('takes nothing from a program that accepts the boxes', async () => {
    const { vscode } = journey;
    const { sandbox } = services;
    await connect(vscode, { name: 'Staging', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    await vscode.statusBarItem('modelBench.wallet').filter({ hasText: 'Staging' }).waitFor();
    // They take the focus, which would close the question.
    await vscode.treeRow('Catalog', /./).waitFor();
    await vscode.runCommandThatAsks('Model Bench: Agent Spending…', 'Allow Agent Spending', () =>
      vscode.pick(/Allow Agent Spending/),
    );
    await vscode.expectQuickInput(/“Staging”: Amount/);
    for (let times = 0; times < 4; times++) await vscode.page.keyboard.press('Enter');
    await vscode.quickInput.getByText(/above zero/).waitFor();
    await vscode.screenshot('journeys/agents-amount');
  });

  it('goes back, keeps the amount, and takes all tools and a typed date', async () => {
    const { vscode } = journey;
    await vscode.quickInputBox.fill('2');
    await vscode.page.keyboard.press('Enter');
    await vscode.quickPickRow(/Run a model/).waitFor();
    await vscode.screenshot('journeys/agents-tools');
    await vscode.quickInput.getByText('4 Selected').waitFor();
    await vscode.quickInput.getByRole('button', { name: 'Back' }).click();
    await vscode.expectQuickInput(/“Staging”: Amount/);
    assert.equal(await vscode.quickInputBox.inputValue(), '2');
    await vscode.page.keyboard.press('Enter');
    await vscode.quickPickRow(/Run an experiment/).waitFor();
    await vscode.page.keyboard.press('Enter');
    await vscode.quickPickRow(/One hour/).waitFor();
    await vscode.quickInputBox.fill('2099-12-24');
    await vscode.quickPickRow(/2099-12-24/).waitFor();
    await vscode.screenshot('journeys/agents-until');
    await vscode.page.keyboard.press('Enter');
    const said = await vscode.notificationText(/Agents may spend/);
    assert.match(said, /\$2\.00 in “Staging” until/);
  });

  it('shows in the status bar, and ends by a click on it', async () => {
    const { vscode } = journey;
    const item = vscode.statusBarItem('modelBench.agents');
    await item.filter({ hasText: '$0.00 of $2.00 for agents' }).waitFor();
    await item.click();
    await vscode.quickPickRow(/Stop Agent Runs/).waitFor();
    await vscode.screenshot('journeys/agents-list');
    await vscode.pick(/Stop Agent Runs/);
    await vscode.notificationText(/no longer spend/);
    await item.waitFor({ state: 'hidden' });
  });
});
