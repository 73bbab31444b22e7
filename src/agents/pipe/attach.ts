import { readdir, rm, stat } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { tryParseJson } from '../../domain/json';
import { readFileAt } from '../../experiments/files/door';
import { isInside } from '../../runFiles/paths';
import { textOfFile } from '../../runFiles/text';
import type { ToolAnswer } from '../answer';
import type { ToolDoor } from '../mcpServer';
import { withWorktrees } from '../processHouse';
import { type hello, onMessage, response, send, windowFile } from './messages';

const LONGEST_FILE = 100_000;

type WindowFile = z.infer<typeof windowFile>;

/** The door to a window: each call goes to the window of the folder, else to the newest. */
export class WindowDoor implements ToolDoor {
  #connection: Promise<Connection | undefined> | undefined;

  /**
   * @param folder private folder with the files of windows
   * @param here absolute path: a window with this folder, or a worktree of its repository, is preferred
   */
  constructor(
    private readonly folder: string,
    private readonly here: string,
  ) {}

  async isOpen(): Promise<boolean> {
    return (await this.#connect()) !== undefined;
  }

  async call(agent: string, tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const connection = await this.#connect();
    if (!connection)
      return failure(
        l10n.t(
          'No window of VS Code with Model Bench is open. Ask the user to open one, then repeat the call.',
        ),
      );
    return connection.call(agent, tool, input, signal);
  }

  async close(): Promise<void> {
    (await this.#connection)?.close();
  }

  async #connect(): Promise<Connection | undefined> {
    const known = await this.#connection;
    if (known?.isOpen) return known;
    this.#connection = this.#find();
    return this.#connection;
  }

  async #find(): Promise<Connection | undefined> {
    for (const { path, file } of await this.#windows()) {
      const socket = await opened(file.socket);
      if (socket instanceof Socket) return new Connection(socket, file.token);
      // Without a listener twice, the window has crashed. One that is busy keeps its file.
      if (socket === 'gone' && (await opened(file.socket)) === 'gone') await rm(path, { force: true });
    }
    return undefined;
  }

  /** The best first. */
  async #windows(): Promise<{ readonly path: string; readonly file: WindowFile }[]> {
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    const windows: { path: string; file: WindowFile; isOwn: boolean }[] = [];
    for (const name of names) {
      const path = join(this.folder, name);
      if (!(await isPrivate(path))) continue;
      const read = await readFileAt(path, LONGEST_FILE).catch(() => undefined);
      const parsed = read && windowFile.safeParse(tryParseJson(textOfFile(read.bytes)));
      if (!parsed?.success) continue;
      const folders = await withWorktrees(parsed.data.folders);
      const isOwn = folders.some((one) => one === this.here || isInside(this.here, one));
      windows.push({ path, file: parsed.data, isOwn });
    }
    return windows.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.file.since - a.file.since);
  }
}

class Connection {
  readonly #waiting = new Map<number, (answer: ToolAnswer) => void>();
  #next = 1;
  isOpen = true;

  constructor(
    private readonly socket: Socket,
    token: string,
  ) {
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.isOpen = false;
      const lost = l10n.t(
        'The window of VS Code has closed. Paid work may have been executed and charged: repeat the call with the same idempotency_key, or read_results by its handle.',
      );
      for (const answer of this.#waiting.values()) answer(failure(lost));
    });
    onMessage(socket, (message) => {
      const { id, images, ...rest } = response.parse(message);
      this.#waiting.get(id)?.({
        ...rest,
        images: images.map(({ contentType, base64 }) => ({
          contentType,
          bytes: Buffer.from(base64, 'base64'),
        })),
      });
      this.#waiting.delete(id);
    });
    send(socket, { token } satisfies z.infer<typeof hello>);
  }

  call(agent: string, tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      signal.addEventListener('abort', () => send(this.socket, { cancel: id }));
      send(this.socket, { id, agent, tool, input });
      if (!this.socket.writable) resolve(failure(l10n.t('The window of VS Code has closed.')));
    });
  }

  close(): void {
    this.socket.end();
  }
}

function opened(path: string): Promise<Socket | 'gone' | 'busy'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) =>
      resolve(['ENOENT', 'ECONNREFUSED'].includes(code) ? 'gone' : 'busy'),
    );
  });
}

/** Another user could name a socket of their own. */
async function isPrivate(path: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const facts = await stat(path).catch(() => undefined);
  return facts !== undefined && facts.uid === process.getuid?.() && (facts.mode & 0o077) === 0;
}

function failure(text: string): ToolAnswer {
  return { text, images: [], isError: true };
}
