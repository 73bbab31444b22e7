import { request } from 'node:http';
import { listenOnLoopback } from './loopback';

/** A service between a client and the sandbox that notes which runs reached it. */
export interface CountingProxy {
  readonly baseUrl: string;
  /** Bodies of `POST /api/runs`, in the order they came. */
  readonly runs: readonly string[];
  /** Resolves when this many runs have arrived in all. */
  until(runs: number): Promise<void>;
  stop(): Promise<void>;
}

export async function countingProxy(target: string): Promise<CountingProxy> {
  const runs: string[] = [];
  const waiting = new Set<() => void>();
  const { url, close } = await listenOnLoopback((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(parts);
      if (incoming.method === 'POST' && incoming.url === '/api/runs') {
        runs.push(body.toString());
        for (const look of waiting) look();
      }
      const { method, headers } = incoming;
      const asked = request(new URL(incoming.url!, target), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      asked.on('error', () => outgoing.destroy());
      asked.end(body);
    });
  });
  return {
    baseUrl: url,
    runs,
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (runs.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    stop: close,
  };
}
