import { inSteps } from './chunks';
import type { Database } from './database';
import { number } from './rows';

/** Rows that one step removes: a few milliseconds. */
const STEP = 500;

/** Removes the rows of forgotten datasets, in steps. */
export async function removeForgotten(database: Database): Promise<void> {
  const forgotten = database.all('SELECT id FROM dataset WHERE forgotten = 1', (row) => number(row, 'id'));
  for (const id of forgotten) {
    for (const table of ['item', 'folder'])
      await inSteps(database, STEP, (limit) =>
        database.run(
          `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE dataset = ? LIMIT ?)`,
          ...[id, limit],
        ),
      );
    await database.write(() => database.run('DELETE FROM dataset WHERE id = ?', id));
  }
}
