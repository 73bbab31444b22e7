import { type ChildProcess, spawn } from 'node:child_process';

/** A call of the command line that has ended. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the command line's program. @param apiKey its variable is not set where this is undefined */
export function startCli(
  cli: string,
  words: readonly string[],
  { cwd, apiKey }: { readonly cwd: string; readonly apiKey?: string },
): ChildProcess {
  const { MODEL_BENCH_API_KEY: _none, ...env } = process.env;
  return spawn(process.execPath, [cli, ...words], {
    cwd,
    env: { ...env, ...(apiKey !== undefined && { MODEL_BENCH_API_KEY: apiKey }) },
  });
}

/** Collects the output of a call until it ends. */
export function finished(child: ChildProcess): Promise<Finished> {
  return new Promise((resolve) => {
    let [out, err] = ['', ''];
    child.stdout?.on('data', (text) => {
      out += text;
    });
    child.stderr?.on('data', (text) => {
      err += text;
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}
