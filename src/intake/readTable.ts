import {
  type KeptPart,
  LARGEST_TABLE,
  MOST_FAULTS,
  MOST_ROWS,
  type ReadTable,
  type Table,
  type TableFault,
  type WorkInTurns,
} from './table';
import { readDelimited } from './tables/delimited';
import { tableDelimiter } from './tables/delimiter';
import { readLines } from './tables/lines';
import { readTabs } from './tables/tabs';
import { decodedText } from './text';

/**
 * Reads a table: CSV (RFC 4180, with line ends of any kind) and TSV with a line of column names, or JSONL with an
 * object on each line. Lines of blank cells are no rows, and counted; lines that do not fit are faults: they are never
 * filled up or cut. A long one is read in turns with everything else.
 * @param extension lower case, with its dot
 */
export async function readTable(
  bytes: Uint8Array,
  extension: string,
  turns: WorkInTurns,
  kept: KeptPart = {},
): Promise<Table> {
  const none = (fault: TableFault): Table => ({ columns: [], rows: [], faults: [fault] });
  if (bytes.length > LARGEST_TABLE)
    return none({ fault: 'tooLarge', bytes: bytes.length, most: LARGEST_TABLE });
  const text = decodedText(bytes);
  if (typeof text !== 'string') return none(text);
  if (text.trim() === '') return none({ fault: 'empty' });
  if (extension === '.jsonl' || extension === '.ndjson') return bounded(await readLines(text, turns, kept));
  if (extension !== '.csv' && extension !== '.tsv') return none({ fault: 'kind', extension });
  const usual = extension === '.tsv' ? '\t' : ',';
  const { delimiter, start } = tableDelimiter(text, usual);
  const read = usual === '\t' && delimiter === '\t' ? readTabs : readDelimited;
  const table = bounded(await read(text.slice(start), delimiter, turns, start === 0 ? 0 : 1, kept));
  return delimiter === usual ? table : { ...table, delimiter };
}

function bounded({ columns, rows, isCut, blankRows, ...table }: ReadTable): Table {
  const faults = table.faults.slice(0, MOST_FAULTS);
  if (isCut) faults.push({ fault: 'tooManyRows', most: MOST_ROWS });
  else if (rows.length === 0 && faults.length === 0) faults.push({ fault: 'noRows' });
  return { columns, rows, faults, ...(blankRows && { blankRows }) };
}
