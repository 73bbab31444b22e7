import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { readTable } from '../../intake/readTable';
import { type KeptPart, LARGEST_TABLE, type Table, type TableFault } from '../../intake/table';
import { Turns } from '../../service/turns';
import { readInput } from '../files/door';

/**
 * Reads the table in a file, see `readTable`.
 * @throws errors of the file system
 */
export async function tableAt(path: string, turns = new Turns(), kept: KeptPart = {}): Promise<Table> {
  const none = (fault: TableFault): Table => ({ columns: [], rows: [], faults: [fault] });
  const extension = extname(path).toLowerCase();
  const facts = await stat(path);
  if (!facts.isFile()) return none({ fault: 'kind', extension });
  if (facts.size > LARGEST_TABLE) return none({ fault: 'tooLarge', bytes: facts.size, most: LARGEST_TABLE });
  return readTable(await readInput(path, LARGEST_TABLE), extension, turns, kept);
}
