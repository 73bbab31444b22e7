import * as l10n from '@vscode/l10n';
import type { ServiceClient } from '../service/client';
import { exitCodes } from './exitCodes';
import { readNamed } from './files';
import { checkFiles, printProblems } from './ready';
import type { Terminal } from './terminal';

/** Checks run files. @returns the exit code */
export async function check(
  names: readonly string[],
  client: ServiceClient | undefined,
  terminal: Terminal,
): Promise<number> {
  const checked = await checkFiles(
    await Promise.all(names.map((name) => readNamed(name, process.cwd()))),
    client,
  );
  const isWrong = printProblems(checked, terminal);
  if (!isWrong) terminal.print(l10n.t('{0} run files checked, no errors.', checked.length));
  return isWrong ? exitCodes.wrong : exitCodes.passed;
}
