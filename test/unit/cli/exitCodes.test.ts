import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../../src/cli/exitCodes';
import { root } from '../../support/paths';

const docs = path.join(root, 'docs');

/** The first cells of each table of exit codes in a page. */
function tablesIn(page: string): number[][] {
  const lines = readFileSync(path.join(docs, page), 'utf8').split('\n');
  const heads = lines.flatMap((line, at) => (line === '| exit code | |' ? [at] : []));
  return heads.map((head) => {
    const rows = lines.slice(head + 2);
    const end = rows.findIndex((line) => !line.startsWith('|'));
    return rows.slice(0, end < 0 ? rows.length : end).map((line) => Number(line.split('|')[1]));
  });
}

describe('Exit codes of the command line', () => {
  it('match every table of the documentation', () => {
    const codes: number[] = Object.values(exitCodes);
    const tables = readdirSync(docs)
      .filter((name) => name.endsWith('.md'))
      .flatMap((page) => tablesIn(page).map((table) => [page, table] as const));
    assert.ok(tables.length >= 2, 'run files and experiments have a table each');
    for (const [page, table] of tables) assert.deepEqual(table, codes, page);
  });
});
