import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../experiments/files/door';
import type { ToolDoor } from '../mcpServer';
import { hello, onMessage, request, send } from './messages';

/** Bytes of a Unix socket's path: macOS takes 103. */
const LONGEST_SOCKET = 100;
/** A process that has connected without its token. */
const MOST_WAIT_MS = 5_000;

interface ListenOptions {
  /** Absolute path of the private folder in which processes look for windows. */
  readonly folder: string;
  readonly folders: readonly string[];
}

export interface Listening {
  setFolders(folders: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Does the calls of processes of the same user, who find socket and token in a file that only the user may read. */
export async function listenForAgents(
  door: ToolDoor,
  { folder, folders }: ListenOptions,
): Promise<Listening> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const id = randomBytes(8).toString('hex');
  const token = randomBytes(32).toString('hex');
  const socket = await socketPath(folder, id);
  const connected = new Set<Socket>();
  const server = createServer((one) => {
    connected.add(one);
    one.once('close', () => connected.delete(one));
    serve(one, token, door);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  if (process.platform !== 'win32') await chmod(socket, 0o600);
  const file = join(folder, `${id}.json`);
  const since = Date.now();
  const describe = (open: readonly string[]) =>
    replaceFile(file, JSON.stringify({ socket, token, folders: open, since }), 0o600);
  await describe(folders);
  return {
    setFolders: describe,
    async close() {
      await rm(file, { force: true });
      for (const one of connected) one.destroy();
      await new Promise((resolve) => server.close(resolve));
      if (process.platform !== 'win32' && dirname(socket) !== folder)
        await rm(dirname(socket), { recursive: true, force: true });
    },
  };
}

/** In the private folder, or in one of its own where that path is too long for a socket. */
async function socketPath(folder: string, id: string): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\model-bench-${id}`;
  const path = join(folder, `${id}.sock`);
  if (Buffer.byteLength(path) <= LONGEST_SOCKET) return path;
  return join(await mkdtemp(join(tmpdir(), 'mb-')), 's');
}

function serve(socket: Socket, token: string, door: ToolDoor): void {
  const calls = new Map<number, AbortController>();
  let isKnown = false;
  const late = setTimeout(() => socket.destroy(), MOST_WAIT_MS);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(late);
    for (const call of calls.values()) call.abort();
  });
  onMessage(socket, (message) => {
    if (!isKnown) {
      if (!isSame(hello.parse(message).token, token)) {
        socket.destroy();
        return;
      }
      isKnown = true;
      clearTimeout(late);
      return;
    }
    const asked = request.parse(message);
    if ('cancel' in asked) {
      calls.get(asked.cancel)?.abort();
      return;
    }
    const { id, agent, tool, input } = asked;
    const stop = new AbortController();
    calls.set(id, stop);
    void door.call(agent, tool, input, stop.signal).then(
      ({ text, images, isError }) => {
        calls.delete(id);
        send(socket, {
          id,
          text,
          isError,
          images: images.map(({ contentType, bytes }) => ({
            contentType,
            base64: Buffer.from(bytes).toString('base64'),
          })),
        });
      },
      () => socket.destroy(),
    );
  });
}

function isSame(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
