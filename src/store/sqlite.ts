import { StoreProblem } from './storeProblem';

export type Sqlite = typeof import('node:sqlite');

let loaded: Sqlite | undefined;

/**
 * node:sqlite, loaded when it is first needed. Node 22 warns that it is experimental, as the host's standard error
 * would show: that one warning is left out while the module loads (Node 24 prints none).
 */
export function sqlite(): Sqlite {
  loaded ??= withoutWarning(() => process.getBuiltinModule?.('node:sqlite'));
  if (!loaded) throw new StoreProblem('missing', `Node.js ${process.versions.node} has no node:sqlite.`);
  return loaded;
}

function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return;
    (emitWarning as (...all: unknown[]) => void).call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
