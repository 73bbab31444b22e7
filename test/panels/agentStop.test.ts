import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contributedName, type ToolName } from '../../src/agents/toolNames';
import { CancellationTokenSource } from '../support/panels/values';
import { useService } from './useService';

const RUNS = 30;
/** Runs of an experiment that have no response yet, at most. */
const IN_FLIGHT = 8;

describe('An experiment of an agent in a window', () => {
  const suite = useService();

  const call = async (tool: ToolName, input: object): Promise<string> => {
    const { token } = new CancellationTokenSource();
    const called = suite.panels.window.tools.get(contributedName(tool))!;
    const result = await called.invoke({ input, toolInvocationToken: undefined }, token as never);
    return (result!.content as { value: string }[]).map(({ value }) => value).join('\n');
  };

  it('stops when the user stops agents: sent runs are counted, and no further one leaves', async () => {
    const { panels, service, sent } = suite;
    const texts = Array.from({ length: RUNS }, (_, at) => `day ${at}`);
    await writeFile(
      path.join(panels.workspace, 'days.experiment.json'),
      JSON.stringify({ run: { model: 'sentiment', input: {} }, vary: { '/input/text': texts } }),
    );
    await panels.agentSpending(/^(Allow Agent Spending|Change)…$/);
    await panels.enter(/Amount/, '1');
    (await panels.question(/Tools/)).accept?.();
    await panels.answer(/Until/, 'Today');
    await panels.statusItem('modelBench.agents', 'of $1.00');
    // The first runs have no response until agents are stopped.
    service.hold(0);
    const begun = await call('run_experiment', {
      ...{ file: 'days.experiment.json', idempotency_key: 'k', wait_seconds: 0 },
    });
    const handle = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(begun)?.[0];
    assert.ok(handle, begun);
    // All that may be in flight: none is still on its way when agents are stopped.
    await panels.until(async () => (await sent()) === IN_FLIGHT, 'the first runs');
    await panels.agentSpending('Stop Agent Runs');
    await panels.notification(/no longer spend/);
    service.release();
    const ended = await panels.until(async () => {
      const text = await call('read_results', { handle, wait_seconds: 1 });
      return /Under way/.test(text) ? undefined : text;
    }, 'the end of the experiment');
    assert.equal(await sent(), IN_FLIGHT, ended);
    await panels.until(
      () => !panels.window.statusItems.get('modelBench.agents')?.isShown,
      'the end of the status bar item',
    );
    assert.match(
      await call('run_model', { model: 'sentiment', input: { text: 'x' }, idempotency_key: 'l' }),
      /Needs approval/,
    );
    await panels.row('History', /by agent .*\(run_experiment\)/);
    panels.command('modelBench.agentSpending');
    const list = await panels.question(/Agent Spending/);
    assert.ok(
      list.choices.some((label) => label.startsWith('run_experiment')),
      list.choices.join(),
    );
    list.cancel();
  });
});
