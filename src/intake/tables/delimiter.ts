import { parse } from 'csv-parse/sync';
import { CSV_OPTIONS, recordDelimiters } from './delimited';

/** In the order in which they are taken where the file speaks for several. */
const DELIMITERS = [',', ';', '\t', '|'];
/** Lines, and characters, that are looked at. */
const SAMPLE_ROWS = 30;
const SAMPLE = 32_768;

/**
 * The character between the cells of a table: the one that a first line `sep=;` names, as Excel writes it; else the one
 * that gives the most of the first lines as many cells as the head, which has several.
 * @param usual of the file's ending, which is taken where no other fits more lines
 * @returns `start`: where the table begins
 */
export function tableDelimiter(
  text: string,
  usual: string,
): { readonly delimiter: string; readonly start: number } {
  const named = /^sep=([^\r\n])(?:\r\n|\n|\r)/i.exec(text);
  if (named) return { delimiter: named[1]!, start: named[0].length };
  const sample = text.slice(0, SAMPLE);
  const others = DELIMITERS.filter((one) => one !== usual);
  const [best] = [usual, ...others]
    .map((delimiter) => ({ delimiter, fits: fitting(sample, delimiter, text.length > SAMPLE) }))
    // A stable sort: of equal candidates the first stays first.
    .sort((a, b) => b.fits - a.fits);
  return { delimiter: best!.fits > 0 ? best!.delimiter : usual, start: 0 };
}

/** The part of the lines that have as many cells as the head; 0 where the head has one. */
function fitting(sample: string, delimiter: string, isCut: boolean): number {
  if (!sample.includes(delimiter)) return 0;
  try {
    const records = parse(sample, {
      ...CSV_OPTIONS,
      delimiter,
      to: SAMPLE_ROWS,
      record_delimiter: recordDelimiters(sample),
    }) as string[][];
    if (isCut && records.length > 2 && records.length < SAMPLE_ROWS) records.pop();
    const [head = [], ...rows] = records;
    if (head.length < 2) return 0;
    return (1 + rows.filter((row) => row.length === head.length).length) / records.length;
  } catch {
    // A quote that is not closed within the sample.
    return 0;
  }
}
