import { DataProblem } from './dataProblem';

/**
 * node:sqlite, loaded when the database is opened. Node 22 warns that it is experimental; that one warning is left
 * out, as the process's standard error is shown to users.
 */
export function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return;
    (emitWarning as (...all: unknown[]) => void).call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite');
    if (sqlite === undefined) throw new DataProblem('missing', `Node.js ${process.versions.node}`);
    return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
}
