import { type ChildProcess, spawn } from 'node:child_process';
import { program } from '../../src/cli/program';
import { terminal } from '../../src/cli/terminal';
import { root } from './paths';

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

let calls = 0;
let keyBefore: string | undefined;

/** Calls the command line in this process, in the time that a process of its own takes to start. */
export async function callHere(
  words: readonly string[],
  { cwd, apiKey }: { readonly cwd: string; readonly apiKey?: string },
): Promise<Finished> {
  let [out, err] = ['', ''];
  const stream = (write: (text: string) => void) =>
    ({ write, isTTY: false }) as unknown as NodeJS.WriteStream;
  if (calls === 0) keyBefore = process.env.MODEL_BENCH_API_KEY;
  const setKey = (key: string | undefined) => {
    if (key === undefined) delete process.env.MODEL_BENCH_API_KEY;
    else process.env.MODEL_BENCH_API_KEY = key;
  };
  setKey(apiKey);
  process.chdir(cwd);
  calls += 1;
  try {
    const shown = terminal(
      stream((text) => {
        out += text;
      }),
      stream((text) => {
        err += text;
      }),
    );
    const code = await program(words, shown, () => new AbortController().signal);
    return { code, out, err };
  } finally {
    calls -= 1;
    if (calls === 0) {
      process.chdir(root);
      setKey(keyBefore);
    }
  }
}
