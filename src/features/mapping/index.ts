import type * as vscode from 'vscode';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';

/** The user gives a service's responses their meaning: by pointing at a value, or with a file. */
export function registerMapping(services: Services): vscode.Disposable {
  const pointing = () => import('./pointing');
  return registerCommands(services.log, {
    'modelBench.useValueAs': async (target) => {
      const { sayNextPage, useValueAs } = await pointing();
      await (target === 'nextPage' ? sayNextPage(services) : useValueAs(services, target));
    },
    'modelBench.useMapping': async (file) => (await pointing()).useFile(services, file),
  });
}
