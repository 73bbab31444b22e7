import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { followJob } from '../../../src/commands/followJob';
import type { Terminal } from '../../../src/commands/terminal';

type Job = Parameters<typeof followJob>[0];

describe('Following a job in a terminal', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Of a job whose state and reason a test changes. */
  function follow() {
    const told: string[] = [];
    const changed: (() => void)[] = [];
    const terminal: Terminal = {
      print: (line) => told.push(`print ${line}`),
      printJson: () => undefined,
      warn: (line) => told.push(`warn ${line}`),
      progress: (line) => told.push(`progress ${line}`),
    };
    const job = {
      ...{ state: 'running', progress: { done: 3 } as Job['progress'] },
      onDidChange: (listener: () => void) => changed.push(listener),
      cancel: () => told.push('cancel'),
      stopWaiting: () => told.push('stop waiting'),
    };
    const stop = new AbortController();
    const end = followJob(job as Job, ({ done }) => `${done} done`, terminal, stop.signal);
    const change = (state: string, reason?: string) => {
      job.state = state;
      job.progress = { ...job.progress, ...(reason !== undefined && { reason }) };
      for (const listener of changed) listener();
    };
    return { told, change, stop, end };
  }

  it('shows its progress until the end', () => {
    const { end, told } = follow();
    mock.timers.tick(250);
    assert.deepEqual(told, ['progress 3 done']);
    end();
    mock.timers.tick(10_000);
    assert.deepEqual(told, ['progress 3 done']);
  });

  it('ends a job that pauses by itself, with its reason', () => {
    const { change, told, end } = follow();
    change('running');
    change('finished', 'not shown');
    assert.deepEqual(told, []);
    change('paused', 'The wallet is empty.');
    assert.deepEqual(told, ['warn The wallet is empty.', 'cancel']);
    end();
  });

  it('ends a job that the user stops, and its wait for responses a little later', () => {
    const { stop, told, end } = follow();
    stop.abort();
    assert.deepEqual(told, ['cancel']);
    mock.timers.tick(5_999);
    assert.deepEqual(
      told.filter((line) => !line.startsWith('progress')),
      ['cancel'],
    );
    mock.timers.tick(1);
    assert.deepEqual(told.at(-1), 'stop waiting');
    end();
  });
});
