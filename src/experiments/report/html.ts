import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { escapeHtml } from '../../wording/escapeHtml';
import type { ReportTexts } from './reportTexts';

/** A cell or an input of the report. */
export interface ReportCell {
  readonly text: string;
  /** Below it: cost, time, spread. */
  readonly facts?: string;
  readonly isRight?: boolean;
  /** A picture as a data URI. */
  readonly picture?: string;
  /** The text is below the picture; else it is its text alternative. */
  readonly isCaptioned?: boolean;
}

export interface ReportRow {
  readonly name: string;
  readonly inputs: readonly ReportCell[];
  readonly expected?: string;
  readonly cells: readonly ReportCell[];
}

/** A report is read in a browser and sent by mail: rows beyond this many bytes are left out, and it says so. */
const MOST_BYTES = 5_000_000;
/** For the sentence that says so. */
const RESERVED_BYTES = 1_000;

const STYLE = `
:root{color-scheme:light dark;font:14px/1.45 system-ui,sans-serif}
body{margin:2rem;max-width:none}table{border-collapse:collapse;margin:1rem 0}
th,td{border:1px solid #8888;padding:.3rem .6rem;text-align:start;vertical-align:top;max-width:24rem;overflow-wrap:anywhere}
thead th{position:sticky;top:0;background:Canvas}img{display:block;max-width:10rem;max-height:10rem}
small{display:block;font-weight:normal;opacity:.8}ul{margin:0;padding-inline-start:1.1rem}`;

/** Only the content of the file: these styles, no script, no network. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${STYLE_HASH}'`;

/** One self-contained HTML page, readable without scripts and without a network. All texts are escaped. */
export function htmlReport(texts: ReportTexts, rows: Iterable<ReportRow>, locale: string): string {
  const { head, foot } = frameHtml(texts, locale);
  const parts: string[] = [];
  let left = MOST_BYTES - RESERVED_BYTES - Buffer.byteLength(head) - Buffer.byteLength(foot);
  let leftOut = 0;
  for (const row of rows) {
    const html = `${rowHtml(row)}\n`;
    const bytes = Buffer.byteLength(html);
    if (leftOut > 0 || bytes > left) leftOut += 1;
    else {
      parts.push(html);
      left -= bytes;
    }
  }
  const more =
    leftOut === 0
      ? ''
      : `<p>${escapeHtml(l10n.t('{0} more rows are left out, so that this file stays small.', leftOut))}</p>\n`;
  return `${head}${parts.join('')}</tbody>\n</table>\n${more}${foot}`;
}

/** The parts before the rows, and after them. */
function frameHtml({ name, description, size, columns }: ReportTexts, locale: string) {
  const heads = columns.map(
    (column) => `<th scope="col">${escapeHtml(column.name)}${summaryHtml(column.summary)}</th>`,
  );
  const head = `<!DOCTYPE html>
<html lang="${escapeHtml(locale)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(name)}</h1>
${description === undefined ? '' : `<p>${escapeHtml(description)}</p>`}
<p>${escapeHtml(size)}</p>
<table>
<thead><tr><th scope="col">${l10n.t('Input')}</th>${heads.join('')}</tr></thead>
<tbody>
`;
  return { head, foot: '</body>\n</html>\n' };
}

function summaryHtml({
  runs,
  metrics,
  comparisons,
  cost,
  time,
}: ReportTexts['columns'][number]['summary']): string {
  const lines = [
    runs,
    ...metrics,
    ...comparisons,
    ...(cost === undefined ? [] : [cost]),
    ...(time === undefined ? [] : [time]),
  ];
  return lines.map((line) => `<small>${escapeHtml(line)}</small>`).join('');
}

function rowHtml({ name, inputs, expected, cells }: ReportRow): string {
  const wanted =
    expected === undefined ? '' : `<small>${escapeHtml(l10n.t('expected {0}', expected))}</small>`;
  const input = `<th scope="row">${inputs.map(cellHtml).join('')}<small>${escapeHtml(name)}</small>${wanted}</th>`;
  return `<tr>${input}${cells.map((cell) => `<td>${cellHtml(cell)}</td>`).join('')}</tr>`;
}

function cellHtml({ text, facts, isRight, picture, isCaptioned = false }: ReportCell): string {
  const mark = isRight === undefined ? '' : isRight ? `✓ ${l10n.t('right')} ` : `✗ ${l10n.t('wrong')} `;
  const shown = escapeHtml(text);
  const image = `<img alt="${isCaptioned ? '' : shown}" src="${escapeHtml(picture ?? '')}">`;
  const content = picture === undefined ? shown : `${image}${isCaptioned ? shown : ''}`;
  return `${escapeHtml(mark)}${content}${facts === undefined ? '' : `<small>${escapeHtml(facts)}</small>`}`;
}
