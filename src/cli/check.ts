import * as l10n from '@vscode/l10n';
import { exitCodes } from '../commands/exitCodes';
import { readNamed } from '../commands/files';
import { checkFiles, problemLines } from '../commands/ready';
import type { Terminal } from '../commands/terminal';
import type { ServiceClient } from '../service/client';

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
  for (const line of problemLines(checked)) terminal.warn(line);
  const isWrong = checked.some((one) => one.isWrong);
  if (!isWrong) terminal.print(l10n.t('{0} run files checked, no errors.', checked.length));
  return isWrong ? exitCodes.wrong : exitCodes.passed;
}
