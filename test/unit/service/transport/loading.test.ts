import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { root } from '../../../support/paths';

/** The result of a script in a thread of its own, in which no module is loaded yet. */
async function saidInThread(script: string): Promise<unknown> {
  const source = (file: string) => pathToFileURL(path.join(root, 'src/service', file)).href;
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    const KEYS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];
    require('tsx/esm/api').register();
    (async () => { ${script} })().then((said) => parentPort.postMessage(said));`,
    {
      eval: true,
      workerData: { transport: source('transport.ts'), createClient: source('createClient.ts') },
    },
  );
  const ended = once(thread, 'exit');
  const [said] = await once(thread, 'message');
  await ended;
  return said;
}

/** Sends twice, and checks the dispatcher of other code's requests. */
const SENDING = `
  const before = KEYS.map((key) => globalThis[key]);
  const { createTransport } = await import(workerData.transport);
  const server = require('node:http').createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = new URL('http://127.0.0.1:' + server.address().port);
  const transport = createTransport({});
  const send = () => transport.send({ method: 'GET', url, headers: {}, silenceMs: 0, maxBytes: 99 });
  const statuses = await Promise.all([send(), send()]).then((all) => all.map(({ status }) => status));
  const same = KEYS.every((key, index) => globalThis[key] === before[index]);
  const { Agent } = require('undici');
  const ours = KEYS.some((key) => globalThis[key] instanceof Agent);
  const fetched = await fetch(url).then(({ status }) => status);
  transport.close();
  server.closeAllConnections();
  server.close();
  return { same, ours, statuses, fetched, had: before[0] !== undefined };`;

describe('The transport of requests', () => {
  // Each starts a thread, which loads all modules.

  it('leaves the global dispatcher unchanged, or Node’s own where there was none, and fetch still works', async () => {
    const expected = { ours: false, statuses: [200, 200], fetched: 200 };
    // Node 24 has its own dispatcher from the start, Node 22 only once something asks for it.
    const bare = (await saidInThread(SENDING)) as { had: boolean };
    assert.deepEqual(bare, { ...expected, same: bare.had, had: bare.had });
    // Looking at Response loads Node's own undici, which sets its own dispatcher.
    assert.deepEqual(await saidInThread(`new Response(); ${SENDING}`), {
      ...expected,
      same: true,
      had: true,
    });
  });
});
