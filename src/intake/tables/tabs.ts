import type { KeptPart, ReadTable, WorkInTurns } from '../table';
import { TableOfLines } from './delimited';

/**
 * TSV: a line is a row, and a cell ends at a tab. Quotes are characters of a cell, unless they enclose all of it on one
 * line: a quote at the beginning of a sentence must not swallow the rows after it.
 */
export async function readTabs(
  text: string,
  _delimiter: string,
  turns: WorkInTurns,
  linesBefore: number,
  kept: KeptPart,
): Promise<ReadTable> {
  const table = new TableOfLines(kept);
  for (const { line, number } of numberedLines(text)) {
    if (turns.isOver) await turns.next();
    if (table.isOver) return table;
    if (line === '') continue;
    const quoted = quotedCells(line);
    const plain = line.split('\t');
    const width = table.columns.length;
    const cells = width > 0 && quoted.length !== width && plain.length === width ? plain : quoted;
    const isOpen = cells.some((cell) => /^"[^"]*$/.test(cell));
    table.add(cells, linesBefore + number, isOpen ? linesBefore + number : undefined);
  }
  return table;
}

/** The cells of a line; one that quotes enclose may hold tabs. */
function quotedCells(line: string): string[] {
  const cells: string[] = [];
  const quoted = /"((?:[^"]|"")*)"(?=\t|$)/y;
  for (let at = 0; at <= line.length; ) {
    quoted.lastIndex = at;
    const match = line[at] === '"' ? quoted.exec(line) : null;
    const tab = line.indexOf('\t', match ? quoted.lastIndex : at);
    const end = tab < 0 ? line.length : tab;
    cells.push(match ? match[1]!.replaceAll('""', '"') : line.slice(at, end));
    at = end + 1;
  }
  return cells;
}

/** One after another: all lines of a large file at once would fill the memory. */
export function* numberedLines(text: string): Generator<{ readonly line: string; readonly number: number }> {
  const end = text.includes('\n') ? '\n' : '\r';
  for (let start = 0, number = 1; start <= text.length; number += 1) {
    const at = text.indexOf(end, start);
    const next = at < 0 ? text.length : at;
    const line = text.slice(start, next);
    yield { line: line.endsWith('\r') ? line.slice(0, -1) : line, number };
    start = next + 1;
  }
}
