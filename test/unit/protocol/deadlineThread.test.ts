import assert from 'node:assert/strict';
import { DeadlineThread, type Thread } from '../../../src/protocol/deadlineThread';

describe('Work with a deadline', () => {
  const idle = () => {};
  /** Threads that answer at once, fail, or never answer. */
  const threads = () => {
    const counts = { started: 0, ended: 0 };
    const start = (): Thread<string, string> => {
      counts.started++;
      let receive: (output: string) => void = idle;
      let fail = idle;
      return {
        post: (input) => (input === 'bad' ? fail() : input !== 'slow' && receive(`${input}!`)),
        listen: (received, failed) => {
          const isNew = receive === idle;
          [receive, fail] = [received, failed];
          if (isNew) queueMicrotask(() => received('ready'));
        },
        end: () => counts.ended++,
      };
    };
    return { counts, thread: new DeadlineThread(start) };
  };

  it('gives each input its own output, on one thread', async () => {
    const { counts, thread } = threads();
    assert.deepEqual(await Promise.all(['a', 'b'].map((one) => thread.ask(one, 60_000))), ['a!', 'b!']);
    await thread.end();
    assert.deepEqual(counts, { started: 1, ended: 1 });
  });

  it('ends the thread of an input that fails or takes too long, and starts another', async () => {
    const { counts, thread } = threads();
    const asked = [thread.ask('bad', 60_000), thread.ask('slow', 1), thread.ask('a', 60_000)];
    assert.deepEqual(await Promise.all(asked), [undefined, undefined, 'a!']);
    assert.deepEqual(counts, { started: 3, ended: 2 });
  });
});
