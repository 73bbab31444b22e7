import { fork } from 'node:child_process';

/** From a request to end to its enforcement, for a child that is busy or hangs. */
const GRACE_MS = 10_000;

/**
 * Runs a module in a process of its own, and resolves to the message that it sends. A child that hangs, even in a loop,
 * is ended: its `exit` handlers end the processes that it started.
 * @throws a sentence when it sends none within `limitMs` milliseconds
 */
export async function inChild<T>(module: string, args: readonly string[], limitMs: number): Promise<T> {
  const child = fork(module, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let sent: { readonly value: T } | undefined;
  let isHung = false;
  child.on('message', (value) => {
    sent = { value: value as T };
  });
  let kill: NodeJS.Timeout | undefined;
  const end = setTimeout(() => {
    isHung = true;
    child.kill('SIGTERM');
    kill = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  }, limitMs);
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(end);
  clearTimeout(kill);
  process.off('exit', stop);
  if (sent) return sent.value;
  throw new Error(
    isHung ? `hung: no end within ${Math.round(limitMs / 1000)} s` : `failed: ended with ${code}`,
  );
}
