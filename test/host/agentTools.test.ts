import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { contributedName, toolNames } from '../../src/agents/toolNames';
import { giveAgentGrant } from '../../src/store/giveAgentGrant';
import { openStore, storeFolder } from '../../src/store/store';
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
    assert.match(await call('find_models', { text: 'sentiment' }), /<service-data>\nsentiment {2,}/);
    assert.match(await call('describe_model', { model: 'sentiment' }), /input\.text +required/);
    assert.match(await call('estimate_cost', { model: 'sentiment' }), /1 run, about \$/);
  });

  it('send no paid run without the permission of a person, however often they are called', async () => {
    const run = { model: 'sentiment', input: { text: 'good' } };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => call('run_model', { ...run, idempotency_key: `key ${at}` })),
    );
    for (const answer of answers) assert.match(answer, /Needs approval: about \$.*Allow Agent Spending/);
  });

  it('reject another environment, and files outside the workspace', async () => {
    assert.match(await call('find_models', { environment: 'production' }), /“Sandbox” only|only\. Leave/);
    const search = { scope: 's', model: 'image-similarity', idempotency_key: 'x' };
    assert.match(await call('search_scope', { ...search, file: '/etc/passwd' }), /outside the folders/);
  });

  it('pay a call once within the permission, however often it comes', async function () {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const storage = path.join(path.dirname(folder!.uri.fsPath), 'user/User/globalStorage', extensionId);
    // A desktop VS Code keeps its data elsewhere.
    if (!existsSync(storeFolder(storage))) this.skip();
    const environments = vscode.workspace.getConfiguration('modelBench').get<object>('environments')!;
    const [name, baseUrl] = Object.entries(environments)[0] as [string, string];
    const store = await openStore(storeFolder(storage));
    const until = Date.now() + 3_600_000;
    await giveAgentGrant(store, {
      ...{ environment: { name, baseUrl }, amount: '0.005', currency: 'USD', tools: ['run_model'], until },
    });
    const run = (key: string) =>
      call('run_model', { model: 'sentiment', input: { text: `day ${key}` }, idempotency_key: key });
    const same = await Promise.all(Array.from({ length: 20 }, () => run('same')));
    assert.match(same[0]!, /"label":/);
    assert.equal(new Set(same).size, 1);
    const others = await Promise.all(Array.from({ length: 20 }, (_, at) => run(`other ${at}`)));
    assert.equal(others.filter((text) => /"label":/.test(text)).length, 4);
    assert.equal(
      others.filter((text) => /has \$0\.00 left of \$0\.005/.test(text)).length,
      16,
      others.at(-1),
    );
    assert.equal(store.agentGrants.calls({ limit: 100 }).length, 5);
    await store.agentGrants.end();
    assert.match(await run('later'), /has ended/);
    await store.close();
  });
});
