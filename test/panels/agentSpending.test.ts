import assert from 'node:assert/strict';
import { paidTools } from '../../src/domain/agentGrant';
import { giveAgentGrant } from '../../src/store/giveAgentGrant';
import { openStore, type Store, storeFolder } from '../../src/store/store';
import { runNamed } from '../support/store/samples';
import { useService } from './useService';

const ITEM = 'modelBench.agents';
const MARK = { agent: 'Test Agent', tool: 'run_model' } as const;

describe('The permission of agents to spend', () => {
  const suite = useService({ environments: ['Production', 'Staging'] });
  /** Another process, such as that of an MCP server. */
  let other: Store;
  before(async () => {
    other = await openStore(storeFolder(suite.panels.globalStorage));
  });
  after(() => other?.close());

  const environment = () => ({ name: 'Production', baseUrl: suite.service.url });
  const begin = (request: string, amount = '0.5') =>
    other.agentGrants.begin({
      ...{ environment: environment(), request, amount: { amount, currency: 'USD' } },
      idempotencyKey: request,
      ...{ agent: MARK.agent, tool: MARK.tool },
    });
  async function begun(request: string) {
    const admitted = await begin(request);
    assert.equal(admitted.kind, 'begun');
    return (admitted as Extract<typeof admitted, { kind: 'begun' }>).call;
  }
  /** Answers every box; the amount is entered. */
  async function allow(amount: string, agent = 'All agents'): Promise<void> {
    const { panels } = suite;
    await panels.agentSpending(/^(Allow Agent Spending|Change)…$/);
    await panels.answer(/Environment/, 'Production');
    // Known from its calls above.
    await panels.answer('Allow Agent Spending: Agent', agent);
    await panels.enter(/Amount/, amount);
    (await panels.question(/Tools/)).accept?.();
    await panels.answer(/Until/, 'Today');
  }

  it('ignores every argument that the command is called with', async () => {
    const { panels } = suite;
    const grant = { amount: '100', environment: environment(), tools: ['run_model'], until: 9e15 };
    for (const args of [[grant], ['100', 'Production'], [{ ...grant, confirmed: true }, grant], [null]]) {
      panels.command('modelBench.agentSpending', ...args);
      await panels.answer('Agent Spending', 'Allow Agent Spending…');
      const question = await panels.question(/Environment/);
      question.pick('Production');
      const amount = await panels.question(/Amount/);
      assert.equal(amount.value, '');
      // A command can accept a box, but not type into it.
      await amount.enter('');
      assert.match((await panels.question(/Amount/)).validation ?? '', /above zero/);
      amount.cancel();
    }
    assert.deepEqual(other.agentGrants.living(), []);
    assert.deepEqual(await begin('before'), { kind: 'refused', refusal: { kind: 'none' } });
  });

  it('asks in boxes that go back and keep their answers, the active environment first', async () => {
    const { panels } = suite;
    await panels.agentSpending(/^(Allow Agent Spending|Change)…$/);
    const environments = await panels.question(/Environment/);
    assert.deepEqual(environments.choices, ['Production', 'Staging']);
    environments.pick('Production');
    for (const wrong of ['0', '-1', 'NaN', 'much', '1,5', '1e99']) {
      await (await panels.question(/Amount/)).enter(wrong);
      await panels.until(
        () => panels.window.questions.open.some(({ validation = '' }) => /above zero/.test(validation)),
        `the problem with ${wrong}`,
      );
    }
    await panels.enter(/Amount/, '2');
    const tools = await panels.question(/Tools/);
    assert.equal(tools.selected?.length, 4);
    tools.back?.();
    const amount = await panels.question(/Amount/);
    assert.equal(amount.value, '2');
    await amount.enter('2');
    (await panels.question(/Tools/)).accept?.();
    const until = await panels.question(/Until/);
    assert.deepEqual(until.choices, ['Today', 'One hour']);
    for (const wrong of ['2099-02-31', '2001-01-01', 'later']) {
      await until.enter(wrong);
      assert.deepEqual(until.choices, [], wrong);
    }
    await until.enter('2099-12-24');
    until.pick('2099-12-24');
    await panels.notification(/Agents may spend \$2\.00 in “Production” until/);
    const [grant] = other.agentGrants.living();
    assert.deepEqual(
      [grant?.environment, grant?.amount, grant?.currency, grant?.tools.length],
      [environment(), '2', 'USD', 4],
    );
    assert.equal(grant?.until, new Date(2099, 11, 25).getTime());
  });

  it('shows in the status bar while it lives, with calls of other processes', async () => {
    const { panels } = suite;
    await panels.statusItem(ITEM, '$0.00 of $2.00 for agents', 'Production');
    const { id } = await begun('one');
    await panels.statusItem(ITEM, '$0.50 of $2.00 for agents', '$0.00 spent, $0.50 reserved');
    await other.agentGrants.settle(id, { outcome: 'finished', cost: { amount: '0.42' } });
    await panels.statusItem(ITEM, '$0.42 of $2.00 for agents', '$0.42 spent, $0.00 reserved');
  });

  it('marks the runs of agents in the history, and lists their calls', async () => {
    const { panels } = suite;
    const { id: call } = await begun('two');
    const { baseUrl } = environment();
    const cost = { amount: '0.25', currency: 'USD' };
    const more = { baseUrl, environment: 'Production', startedAt: Date.now(), cost };
    await other.runs.put(runNamed('run-of-agent', { ...more, agent: { ...MARK, call } }));
    const row = await panels.row('History', /by agent Test Agent \(run_model\)/);
    assert.match(row.tooltip, /by agent Test Agent/);
    await panels.statusItem(ITEM, '$0.67 of $2.00 for agents');
    panels.clickStatusItem(ITEM);
    const list = await panels.question(/Agent Spending/);
    assert.ok(list.choices.includes('Change…') && list.choices.includes('Stop Agent Runs'));
    list.pick(/run_model · Test Agent/);
    const panel = await panels.page(/Sentiment/);
    await panel.locator('.status-line').getByText('by agent Test Agent (run_model)').waitFor();
  });

  it('marks the charges and the unconfirmed runs of agents on the usage page', async () => {
    const { panels } = suite;
    const { baseUrl } = environment();
    const response = await fetch(`${baseUrl}/api/runs`, {
      ...{
        method: 'POST',
        headers: { 'X-API-Key': suite.sandbox.apiKey, 'Content-Type': 'application/json' },
      },
      body: JSON.stringify({ model: 'sentiment', input: { text: 'By an agent.' }, params: {} }),
    });
    const { run_id: runId } = (await response.json()) as { run_id: string };
    assert.equal(typeof runId, 'string');
    const agent = { ...MARK, call: 'call-of-usage' };
    const more = { baseUrl, environment: 'Production', startedAt: Date.now(), agent };
    await other.runs.put(runNamed('charged', { ...more, runId }));
    await other.runs.put(runNamed('lost', { ...more, modelName: 'Lost', state: 'unknown' }));
    await panels.runCommand('Model Bench: Show Usage and Billing');
    const page = await panels.page('Usage and Billing');
    await page.getByText(/\d entr(?:y|ies)$/).click();
    await page.getByRole('row', { name: 'sentiment · execute · by agent Test Agent' }).waitFor();
    await page.getByText(/Lost · (?:.+ · )?unconfirmed · by agent Test Agent/).waitFor();
  });

  it('still counts earlier spending when the user changes the limit', async () => {
    const { panels } = suite;
    await panels.agentSpending(/^(Allow Agent Spending|Change)…$/);
    await panels.answer(/Environment/, 'Production');
    await panels.answer('Allow Agent Spending: Agent', 'All agents');
    const amount = await panels.question(/Used so far: \$0\.67 of \$2\.00/);
    assert.equal(amount.value, '');
    await amount.enter('1');
    (await panels.question(/Tools/)).accept?.();
    await panels.answer(/Until/, 'One hour');
    await panels.statusItem(ITEM, '$0.67 of $1.00 for agents');
    const refused = await begin('three');
    assert.equal(refused.kind === 'refused' && refused.refusal.kind, 'beyond');
  });

  it('ends in every process when the user stops agents', async () => {
    const { panels } = suite;
    await allow('5');
    await panels.statusItem(ITEM, 'of $5.00');
    const { id } = await begun('four');
    assert.equal(other.agentGrants.maySend(id), true);
    const heard = new Promise<void>((resolve) => {
      const stop = other.changes.on('agents', () => {
        stop();
        resolve();
      });
    });
    await panels.agentSpending('Stop Agent Runs');
    await panels.notification(/no longer spend/);
    await heard;
    assert.equal(other.agentGrants.maySend(id), false);
    const refused = await begin('five');
    assert.deepEqual(refused, { kind: 'refused', refusal: { kind: 'ended' } });
    await panels.until(() => !panels.window.statusItems.get(ITEM)?.isShown, 'the end of the item');
  });

  it('ends by itself at its time, in the status bar and for calls under way', async () => {
    const { panels } = suite;
    const grant = { environment: environment(), amount: '3', currency: 'USD', tools: paidTools };
    await giveAgentGrant(other, { ...grant, until: Date.now() + 4_000 });
    const { id } = await begun('six');
    await panels.statusItem(ITEM, '$0.50 of $3.00');
    await panels.until(() => !panels.window.statusItems.get(ITEM)?.isShown, 'the end of the item');
    assert.equal(other.agentGrants.maySend(id), false);
    assert.deepEqual(await begin('seven'), { kind: 'refused', refusal: { kind: 'ended' } });
  });
});
