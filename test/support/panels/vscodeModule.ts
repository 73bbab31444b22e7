import type { StandInWindow } from './standInWindow';

/** The extension's module for `import * as vscode from 'vscode'`: the window that is open now. */
export * from './values';

let current: StandInWindow | undefined;

export function setCurrentWindow(window: StandInWindow | undefined): void {
  current = window;
}

/** A namespace of the API, of the window that is open when it is used. */
function namespace(name: string): Record<string, unknown> {
  return new Proxy({} as Record<string, unknown>, {
    get(_target, member) {
      const space = current?.api[name] as Record<string | symbol, unknown> | undefined;
      if (!space) throw new Error(`No window is open to ask vscode.${name}.${String(member)}.`);
      if (!(member in space)) throw new Error(`The stand-in has no vscode.${name}.${String(member)}.`);
      return space[member];
    },
    has: (_target, member) => member in ((current?.api[name] as object | undefined) ?? {}),
  });
}

export const commands = namespace('commands');
export const env = namespace('env');
export const extensions = namespace('extensions');
export const l10n = namespace('l10n');
export const languages = namespace('languages');
export const lm = namespace('lm');
export const tests = namespace('tests');
export const window = namespace('window');
export const workspace = namespace('workspace');
export const version = '1.105.0';
