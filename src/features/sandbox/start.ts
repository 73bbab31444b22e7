import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import * as z from 'zod/mini';

/** The line the sandbox prints when it listens. */
const readyLine = z.object({ baseUrl: z.string(), apiKey: z.string() });

const START_TIMEOUT_MS = 20_000;

/** A process of the extension host's own Node. */
export function startScript(script: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [script, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Desktop's extension host is Electron: this makes its binary run as Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
}

/** Waits for the ready line; rejects with words, and with what the process `said`, when it does not come. */
export function firstLine(child: ChildProcess, said: () => string): Promise<z.infer<typeof readyLine>> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill();
      reject(new Error(vscode.l10n.t('The sandbox did not start. {0}', why)));
    };
    const timer = setTimeout(() => fail(vscode.l10n.t('It did not respond in time.')), START_TIMEOUT_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => fail(said()));
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(timer);
      child.removeAllListeners('error');
      const read = readyLine.safeParse(parseLine(line));
      if (read.success) resolve(read.data);
      else fail(vscode.l10n.t('Unexpected output: {0}', line.slice(0, 200)));
    });
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
