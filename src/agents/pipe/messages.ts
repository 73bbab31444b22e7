import type { Socket } from 'node:net';
import * as z from 'zod/mini';

/*
 * Between a process that serves a client and the window that does its calls: one JSON value a line. The process begins
 * with the token of the window's private file.
 */

/** Characters of a line: arguments of a call, or an answer with its images. */
const LONGEST_LINE = 32 * 2 ** 20;

export const hello = z.object({ token: z.string() });
export const request = z.union([
  z.object({ id: z.number(), agent: z.string(), tool: z.string(), input: z.unknown() }),
  z.object({ cancel: z.number() }),
]);
export const response = z.object({
  id: z.number(),
  text: z.string(),
  isError: z.boolean(),
  images: z.array(z.object({ contentType: z.string(), base64: z.string() })),
});

/** A window that waits for processes, as its private file describes it. */
export const windowFile = z.object({
  /** A Unix socket, or a named pipe of Windows. */
  socket: z.string(),
  token: z.string(),
  /** Absolute paths. */
  folders: z.array(z.string()),
  /** Milliseconds since the epoch. */
  since: z.number(),
});

export function send(socket: Socket, message: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Calls back with each line's value; a line that is too long or is not JSON ends the connection. */
export function onMessage(socket: Socket, take: (message: unknown) => void): void {
  let pieces: string[] = [];
  let length = 0;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n');
    for (const [at, piece] of [first, ...others].entries()) {
      if (at > 0) {
        const line = pieces.join('');
        [pieces, length] = [[], 0];
        try {
          take(JSON.parse(line));
        } catch {
          socket.destroy();
          return;
        }
      }
      pieces.push(piece);
      length += piece.length;
      if (length > LONGEST_LINE) {
        socket.destroy();
        return;
      }
    }
  });
}
