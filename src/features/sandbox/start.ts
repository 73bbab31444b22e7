import { createInterface } from 'node:readline';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { ChildProcess } from '../../programs/startProgram';
import { storeProblemText } from '../../wording/storeProblem';

/** The line the sandbox prints when it listens. */
const readyLine = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  /** Where a damaged database, or one of another version, was moved. */
  setAside: z.optional(z.string()),
});
/** The line it prints instead when it cannot use its data. */
const problemLine = z.object({
  problem: z.enum(['locked', 'damaged', 'diskFull', 'folder', 'missing']),
});

const START_TIMEOUT_MS = 20_000;

/** The traces of a start: its data folder, and its standard error. */
interface Start {
  readonly folder: string;
  readonly output: () => string;
}

/** Waits for the ready line; rejects with words when it does not come. */
export function firstLine(
  child: ChildProcess,
  { folder, output }: Start,
): Promise<z.infer<typeof readyLine>> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill();
      reject(new Error(l10n.t('The sandbox did not start. {0}', why)));
    };
    const timer = setTimeout(() => fail(l10n.t('It did not respond in time.')), START_TIMEOUT_MS);
    child.once('error', (error) => fail(error.message));
    child.once('close', () => fail(output()));
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(timer);
      child.removeAllListeners('error');
      const parsed = parseLine(line);
      const ready = readyLine.safeParse(parsed);
      const failed = problemLine.safeParse(parsed);
      if (ready.success) resolve(ready.data);
      else if (failed.success) fail(storeProblemText({ kind: failed.data.problem, folder }));
      else fail(l10n.t('Unexpected output: {0}', line.slice(0, 200)));
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
