import * as l10n from '@vscode/l10n';
import { assertNever } from '../../domain/assertNever';
import { fileFaultText } from '../../intake/fileCheck';
import { LONGEST_JSON } from '../../intake/table';
import { pointerText, textFaultText } from '../../intake/text';
import { formatBytes } from '../../wording/bytes';
import { formatNumber } from '../../wording/number';
import type { ItemFault } from './items';

/** Why an input of an experiment cannot be used, as a sentence that says what to do. */
export function itemFaultText(fault: ItemFault): string {
  switch (fault.fault) {
    case 'encoding':
      if ('path' in fault) return textFaultText(fault, fault.path);
      return l10n.t('The table is not UTF-8 text (line {0}). Save it as UTF-8.', fault.line);
    case 'binary':
      if ('path' in fault) return textFaultText(fault, fault.path);
      return l10n.t('The table is not a text file (line {0}). Export it as CSV in UTF-8.', fault.line);
    case 'oneJson':
      return l10n.t(
        'This file is one JSON text. Write an object on each line, or a list of objects of at most {0} characters.',
        formatNumber(LONGEST_JSON),
      );
    case 'tooManyColumns':
      return l10n.t('The table has more than {0} columns. Leave out those that are not needed.', fault.most);
    case 'tooManyCells':
      return l10n.t('The table has more than {0} cells. Split it, or leave out columns.', fault.most);
    case 'openQuote':
      return l10n.t('Line {0}: a quote opens a cell and is not closed. Close it, or remove it.', fault.line);
    case 'empty':
      return l10n.t('The table is empty.');
    case 'noRows':
      return l10n.t('The table has column names and no rows.');
    case 'kind':
      return l10n.t('Tables end in .csv, .tsv or .jsonl; this one ends in “{0}”.', fault.extension);
    case 'tooLarge':
      if ('path' in fault)
        return l10n.t(
          '“{0}” has {1}; {2} can be read as text.',
          ...[fault.path, formatBytes(fault.bytes), formatBytes(fault.most)],
        );
      return l10n.t('The file has {0}; {1} can be read.', formatBytes(fault.bytes), formatBytes(fault.most));
    case 'tooManyRows':
      return l10n.t('The table has more than {0} rows. Split it, or choose some with "sample".', fault.most);
    case 'column':
      return l10n.t('Line {0}: two columns have the name “{1}”.', fault.line, fault.column);
    case 'line':
      return l10n.t('Line {0} cannot be read: {1}', fault.line, fault.detail);
    case 'ragged':
      return raggedText(fault);
    case 'missing':
      return l10n.t('There is no file “{0}”.', fault.path);
    case 'outside':
      return l10n.t('“{0}” is outside the folder of the experiment, and is not read.', fault.path);
    case 'notAFile':
      return l10n.t('“{0}” is not a file.', fault.path);
    case 'address':
      return l10n.t(
        '“{0}” is an address. Save the file in the folder of the experiment, and enter its path.',
        fault.path,
      );
    case 'broken':
      return l10n.t('“{0}” is a link that leads nowhere.', fault.path);
    case 'unreadable':
      if (fault.path.includes('\ufffd'))
        return l10n.t('The name of “{0}” is not UTF-8. Rename it.', fault.path);
      return l10n.t('“{0}” cannot be read ({1}).', fault.path, fault.detail);
    case 'pointer':
      return pointerText(fault, 'path' in fault ? fault.path : undefined);
    case 'emptyFile':
    case 'textInside':
    case 'otherBytes':
    case 'otherType':
      return fileFaultText(fault, fault.path);
    case 'unusableGlob':
      return l10n.t('“{0}” is no glob that can be used.', fault.glob);
    case 'slowGlobs':
      return l10n.t('The globs take too long. Use fewer wildcards, or name a folder.');
    case 'noColumn':
      if (fault.delimiter !== undefined)
        return l10n.t(
          'There is no column “{0}”. The columns, taken at each “{2}”, are: {1}.',
          ...[fault.column, fault.columns.join(', '), shownDelimiter(fault.delimiter)],
        );
      return l10n.t(
        'There is no column “{0}”. The columns are: {1}.',
        fault.column,
        fault.columns.join(', '),
      );
    case 'noFiles':
      return l10n.t('No file matches “{0}”.', fault.glob);
    case 'tooManyFiles':
      return l10n.t('More than {0} files match. Choose fewer.', fault.most);
    case 'noExpected':
      return l10n.t('“{0}” has no file beside it with what is expected.', fault.path);
    default:
      return assertNever(fault);
  }
}

function raggedText({ line, cells, columns, spans }: Extract<ItemFault, { fault: 'ragged' }>): string {
  if (spans === undefined)
    return l10n.t('Line {0} has {1} cells; there are {2} columns.', line, cells, columns);
  if (spans === line)
    return l10n.t(
      'Line {0} has {1} cells; there are {2} columns. A cell of a TSV file cannot go over several lines.',
      ...[line, cells, columns],
    );
  return l10n.t(
    'The row in lines {0} to {1} has {2} cells; there are {3} columns. Quotes make one cell of several lines.',
    ...[spans, line, cells, columns],
  );
}

function shownDelimiter(delimiter: string): string {
  return delimiter === '\t' ? l10n.t('tab') : delimiter;
}

/** How the columns of a table are told apart, where its ending does not say so. */
export function delimiterText(delimiter: string): string {
  return l10n.t('columns taken at each “{0}”', shownDelimiter(delimiter));
}
