import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { contributedName, toolNames } from '../../src/agents/toolNames';
import { eventually } from '../support/eventually';
import { extensionId } from '../support/paths';

describe('The tools of agents in VS Code', () => {
  const call = async (tool: (typeof toolNames)[number], input: object) => {
    const { content } = await vscode.lm.invokeTool(contributedName(tool), {
      input,
      toolInvocationToken: undefined,
    });
    return content
      .filter((part) => part instanceof vscode.LanguageModelTextPart)
      .map(({ value }) => value)
      .join('\n');
  };
  before(async () => {
    await vscode.extensions.getExtension(extensionId)!.activate();
    await vscode.commands.executeCommand('modelBench.startSandbox');
  });

  it('appear among those of all extensions, with their descriptions and schemas', async () => {
    // The host hears of them once an environment has a key.
    await eventually(() => {
      for (const tool of toolNames) {
        const listed = vscode.lm.tools.find(({ name }) => name === contributedName(tool));
        assert.ok(listed, tool);
        assert.match(listed.description, /\. /);
        assert.equal((listed.inputSchema as { type?: string }).type, 'object');
      }
    });
  });

  it('find and describe models of the active environment', async () => {
    assert.match(
      await call('find_models', { text: 'sentiment' }),
      /<service-data-[\da-f]{12}>\nsentiment {2,}/,
    );
    assert.match(await call('describe_model', { model: 'sentiment' }), /input\.text +required/);
    assert.match(await call('estimate_cost', { model: 'sentiment' }), /1 run, about \$/);
  });
});
