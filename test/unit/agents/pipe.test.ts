import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ToolAnswer } from '../../../src/agents/answer';
import type { ToolDoor } from '../../../src/agents/mcpServer';
import { WindowDoor } from '../../../src/agents/pipe/attach';
import { type Listening, listenForAgents } from '../../../src/agents/pipe/listen';
import { gate } from '../../support/gate';

describe('The pipe between a window and the processes of agents', () => {
  let folder: string;
  let calls: unknown[];
  let windows: Listening[];
  let doors: WindowDoor[];
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mb-pipe-')));
    [calls, windows, doors] = [[], [], []];
  });
  afterEach(async () => {
    for (const door of doors) await door.close();
    for (const window of windows) await window.close();
    await rm(folder, { recursive: true });
  });

  const signal = new AbortController().signal;
  const answering =
    (name: string): ToolDoor['call'] =>
    async (agent, tool, input) => {
      calls.push([name, agent, tool, input]);
      return {
        text: `${name} – ${tool}`,
        images: [{ contentType: 'image/png', bytes: Buffer.from([1, 2, 3]) }],
        isError: false,
      };
    };
  const open = async (name: string, call = answering(name), pipe = path.join(folder, 'windows')) => {
    await mkdir(path.join(folder, name), { recursive: true });
    const window = await listenForAgents({ call }, { folder: pipe, folders: [path.join(folder, name)] });
    windows.push(window);
    return window;
  };
  const doorIn = (name: string, pipe = path.join(folder, 'windows')) => {
    const door = new WindowDoor(pipe, path.join(folder, name));
    doors.push(door);
    return door;
  };

  it('prefers the window of the folder, and takes the newest of others', async () => {
    await open('a');
    await new Promise((resolve) => setTimeout(resolve, 2));
    await open('b');
    for (const [place, window] of [
      ['a', 'a'],
      ['a/inner', 'a'],
      ['b', 'b'],
      ['elsewhere', 'b'],
    ] as const)
      assert.match((await doorIn(place).call('x', 't', {}, signal)).text, new RegExp(`^${window} `), place);
  });

  it('rejects a process without the token, and keeps socket and token from other users', async () => {
    await open('a');
    const names = (await readdir(path.join(folder, 'windows'))).filter((name) => name.endsWith('.json'));
    const file = path.join(folder, 'windows', names[0]!);
    const { socket } = JSON.parse(await readFile(file, 'utf8'));
    if (process.platform !== 'win32')
      for (const [one, mode] of [
        [file, 0o600],
        [socket, 0o600],
        [path.join(folder, 'windows'), 0o700],
      ] as const)
        assert.equal((await stat(one)).mode & 0o777, mode, one);
    for (const first of [
      '{"token":"wrong"}',
      '{"id":1,"agent":"x","tool":"t","input":{}}',
      'no JSON',
      '{}',
    ]) {
      const raw = connect(socket);
      raw.write(`${first}\n{"id":1,"agent":"x","tool":"t","input":{}}\n`);
      raw.on('error', () => undefined);
      await once(raw, 'close');
    }
    assert.deepEqual(calls, []);
  });

  it('reports a window that closes during a call, and goes on with the next one', async () => {
    const { opened: begun, open: begin } = gate();
    const first = await open('a', () => {
      begin();
      return new Promise<ToolAnswer>(() => undefined);
    });
    const door = doorIn('a');
    const lost = door.call('x', 't', {}, signal);
    await begun;
    await first.close();
    windows = [];
    assert.match((await lost).text, /may have been executed and charged/);
    await open('b');
    assert.match((await door.call('x', 't', {}, signal)).text, /^b /);
  });

  it('leaves out files of crashed windows, and those that other users could have written', async () => {
    await open('a');
    const pipe = path.join(folder, 'windows');
    const other = { token: 't', folders: [path.join(folder, 'a')], since: Date.now() + 1_000 };
    await writeFile(
      path.join(pipe, 'gone.json'),
      JSON.stringify({ ...other, socket: path.join(pipe, 'gone.sock') }),
      { mode: 0o600 },
    );
    await writeFile(path.join(pipe, 'open.json'), JSON.stringify({ ...other, socket: '/tmp/x' }), {
      mode: 0o644,
    });
    await writeFile(path.join(pipe, 'broken.json'), '{', { mode: 0o600 });
    // Neither missing nor refused: it may only be busy.
    const busy = JSON.stringify({ ...other, socket: path.join(pipe, 'broken.json', 'x.sock') });
    await writeFile(path.join(pipe, 'busy.json'), busy, { mode: 0o600 });
    assert.match((await doorIn('a').call('x', 't', {}, signal)).text, /^a /);
    const left = await readdir(pipe);
    assert.deepEqual([left.includes('gone.json'), left.includes('busy.json')], [false, true]);
  });

  it('cancels the waiting of a call that its client has cancelled', async () => {
    const { opened: begun, open: begin } = gate();
    await open('a', (_agent, _tool, _input, cancelled) => {
      begin();
      return new Promise((resolve) =>
        cancelled.addEventListener('abort', () => resolve({ text: 'cancelled', images: [], isError: false })),
      );
    });
    const stop = new AbortController();
    const waiting = doorIn('a').call('x', 't', {}, stop.signal);
    await begun;
    stop.abort();
    assert.equal((await waiting).text, 'cancelled');
  });
});
