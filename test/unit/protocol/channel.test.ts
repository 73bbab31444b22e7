import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import {
  Channel,
  type Endpoint,
  type Handlers,
  type Methods,
  RemoteError,
} from '../../../src/protocol/channel';

const methods = {
  double: { params: z.object({ n: z.number() }), result: z.number() },
  note: { params: z.object({ text: z.string() }) },
  wait: { params: z.object({}), result: z.null() },
} as const satisfies Methods;
const none = {} as const satisfies Methods;

/** Two ends, and the messages between them; they cross like in VS Code: later, and copied. */
function pair(handlers: Handlers<typeof methods>) {
  const listeners: [Set<(message: unknown) => void>, Set<(message: unknown) => void>] = [
    new Set(),
    new Set(),
  ];
  const end = (own: 0 | 1): Endpoint => ({
    post: (message) => {
      const copy: unknown = structuredClone(message);
      setImmediate(() => {
        for (const listener of listeners[own === 0 ? 1 : 0]) listener(copy);
      });
    },
    listen: (listener) => {
      listeners[own].add(listener);
      return () => listeners[own].delete(listener);
    },
  });
  const bad: string[] = [];
  const describe = (error: unknown) => `In words: ${(error as Error).message}`;
  const onBadMessage = (why: string) => bad.push(why);
  const host = new Channel(end(0), methods, none, handlers, { describe, onBadMessage });
  const page = new Channel(end(1), none, methods, {}, { describe, onBadMessage });
  return { host, page, bad, toHost: end(1) };
}

/** Waits for a state; Mocha's own limit ends a wait in vain. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('The channel between host and page', () => {
  const quiet = { double: ({ n }: { n: number }) => n * 2, note: () => undefined, wait: () => null };

  it('replies to a call once, and carries notifications', async () => {
    const notes: string[] = [];
    const { page } = pair({ ...quiet, note: ({ text }) => void notes.push(text) });
    page.notify('note', { text: 'hello' });
    assert.deepEqual(
      await Promise.all([page.call('double', { n: 2 }), page.call('double', { n: 5 })]),
      [4, 10],
    );
    assert.deepEqual(notes, ['hello']);
  });

  it('replies with a state before it tells of the next one, since the page shows the last one', async () => {
    const posted: unknown[] = [];
    let receive: (message: unknown) => void = () => undefined;
    const endpoint: Endpoint = {
      post: (message) => posted.push(message),
      listen: (listener) => {
        receive = listener;
        return () => undefined;
      },
    };
    const host = new Channel(
      endpoint,
      methods,
      { show: { params: z.string() } },
      {
        ...quiet,
        double: () => {
          // Work that ends in the same turn.
          queueMicrotask(() => host.notify('show', 'newer'));
          return 1;
        },
      },
      { describe: String, onBadMessage: assert.fail },
    );
    receive({ kind: 'call', id: 1, method: 'double', params: { n: 1 } });
    await until(() => posted.length === 2);
    assert.deepEqual(posted, [
      { kind: 'response', id: 1, value: 1 },
      { kind: 'notify', method: 'show', params: 'newer' },
    ]);
  });

  it('rejects with the error message of the other side', async () => {
    const { page } = pair({
      ...quiet,
      double: () => {
        throw new Error('no');
      },
    });
    await assert.rejects(page.call('double', { n: 1 }), (error) => {
      return error instanceof RemoteError && error.message === 'In words: no';
    });
  });

  it('rejects a message that does not fit a schema in either direction, and unknown methods', async () => {
    const { page, bad, toHost } = pair({ ...quiet, double: () => 'two' as never });
    await assert.rejects(page.call('double', { n: 'x' as never }), /do not fit/);
    await assert.rejects(page.call('double', { n: 1 }), /does not fit its schema/);
    toHost.post({ kind: 'call', id: 99, method: 'constructor', params: {} });
    toHost.post('nonsense');
    await until(() => bad.length >= 3);
    assert.deepEqual(bad, [
      'double: its parameters do not fit',
      'an unknown name: no such method',
      'not an envelope',
    ]);
  });

  it('cancels a call on the other side when it is aborted here', async () => {
    let begun = false;
    let aborted = false;
    const { page } = pair({
      ...quiet,
      wait: (_, signal) =>
        new Promise((done) => {
          begun = true;
          signal.addEventListener('abort', () => {
            aborted = true;
            done(null);
          });
        }),
    });
    const stop = new AbortController();
    const waiting = page.call('wait', {}, stop.signal);
    await until(() => begun);
    stop.abort();
    await waiting;
    assert.equal(aborted, true);
  });

  it('rejects the waiting calls when a side goes away', async () => {
    let begun = false;
    const { page, host } = pair({
      ...quiet,
      wait: () => {
        begun = true;
        return new Promise(() => undefined);
      },
    });
    const waiting = page.call('wait', {});
    await until(() => begun);
    page.dispose();
    await assert.rejects(waiting, /The panel was closed/);
    host.dispose();
  });
});
