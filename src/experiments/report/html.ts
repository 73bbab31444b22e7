import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { GlanceCell, GlanceInterval } from '../../protocol/experimentFigures';
import { escapeHtml } from '../../wording/escapeHtml';
import { MARKS } from '../../wording/signs';
import { checkText, type ReportTexts } from './reportTexts';

/** A cell or an input of the report. */
export interface ReportCell {
  readonly text: string;
  /** Below it: cost, time, spread. */
  readonly facts?: string;
  readonly isRight?: boolean;
  /** A picture as a data URI. */
  readonly picture?: string;
  /** The hits of a search, in their order. */
  readonly hits?: readonly ReportCell[];
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
:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}
body{margin:2rem auto;max-width:90rem;padding:0 1.5rem}h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}
.about{opacity:.75;margin:.25rem 0}table{border-collapse:collapse;margin:.5rem 0}
th,td{border:1px solid #8885;padding:.35rem .6rem;text-align:start;vertical-align:top;max-width:24rem;overflow-wrap:anywhere}
.figures td{max-width:none;font-variant-numeric:tabular-nums}.figures th{font-weight:600;overflow-wrap:normal}
.figures svg{display:block;margin:.25rem 0}
.rows thead th{position:sticky;top:0;background:Canvas}img{display:block;max-width:10rem;max-height:10rem}
small{display:block;font-weight:normal;opacity:.75}.figures small{display:inline;margin-inline-start:.4rem}
.good{color:#1a7f37}.bad{color:#cf222e}
@media (prefers-color-scheme:dark){.good{color:#56d364}.bad{color:#ff7b72}}
.figures td p{margin:0}svg line{stroke:#8888}svg rect{fill:#3b82f6}svg .point{fill:CanvasText}ul{margin:.25rem 0;padding-inline-start:1.2rem}
.hits{display:flex;gap:.25rem}.hits img{width:3rem;height:3rem;object-fit:cover}.hits small{text-align:center}
@media print{.rows thead th{position:static}}`;

/** Only the content of the file: these styles, no script, no network. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${STYLE_HASH}'`;

/**
 * One self-contained HTML page, readable without scripts and without a network. All texts are escaped.
 * @param all rows there are, where `rows` are the first of them
 */
export function htmlReport(
  texts: ReportTexts,
  rows: readonly ReportRow[],
  locale: string,
  all = rows.length,
): string {
  const { head, foot } = frameHtml(texts, locale);
  const parts: string[] = [];
  let left = MOST_BYTES - RESERVED_BYTES - Buffer.byteLength(head) - Buffer.byteLength(foot);
  let leftOut = all - rows.length;
  let isFull = false;
  for (const row of rows) {
    const html = `${rowHtml(row)}\n`;
    const bytes = Buffer.byteLength(html);
    if (isFull || bytes > left) {
      isFull = true;
      leftOut += 1;
    } else {
      parts.push(html);
      left -= bytes;
    }
  }
  const more =
    leftOut === 1
      ? l10n.t('1 more row is left out, so that this file stays small.')
      : l10n.t('{0} more rows are left out, so that this file stays small.', leftOut);
  const note = leftOut === 0 ? '' : `<p>${escapeHtml(more)}</p>\n`;
  return `${head}${parts.join('')}</tbody>\n</table>\n${note}${foot}`;
}

/** The parts before and after the rows. */
function frameHtml(texts: ReportTexts, locale: string) {
  const { name, description, size, date, baseline, columns } = texts;
  const about = [date, size, ...(baseline === undefined ? [] : [l10n.t('Baseline: {0}', baseline)])];
  const heads = columns.map((column) => `<th scope="col">${escapeHtml(column.name)}</th>`).join('');
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
${about.map((line) => `<p class="about">${escapeHtml(line)}</p>`).join('\n')}
${checksHtml(texts)}<h2>${l10n.t('Summary')}</h2>
${figuresHtml(texts, heads)}
${changesHtml(texts)}<h2>${l10n.t('Results')}</h2>
<table class="rows">
<thead><tr><th scope="col">${l10n.t('Input')}</th>${heads}</tr></thead>
<tbody>
`;
  return { head, foot: '</body>\n</html>\n' };
}

function checksHtml({ checks = [] }: ReportTexts): string {
  if (checks.length === 0) return '';
  const items = checks.map(
    (check) => `<li class="${check.passed ? 'good' : 'bad'}">${escapeHtml(checkText(check))}</li>`,
  );
  return `<h2>${l10n.t('Checks')}</h2>\n<ul>${items.join('')}</ul>\n`;
}

/** The figures as an aligned table, each interval drawn on the scale of its row; then the same in sentences. */
function figuresHtml({ columns, figures }: ReportTexts, heads: string): string {
  const rows = figures.map(({ kind, name, cells }) => {
    const inner = cells.map((cell) => `<td>${cell ? glanceHtml(cell) : ''}</td>`).join('');
    return `<tr><th scope="row">${kind === 'group' ? '· ' : ''}${escapeHtml(name)}</th>${inner}</tr>`;
  });
  const words = columns.map(
    (column) =>
      `<p>${escapeHtml(column.name)}</p><ul>${column.words.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
  );
  return `<table class="figures">
<thead><tr><td></td>${heads}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>
<details><summary>${l10n.t('In words')}</summary>${words.join('')}</details>`;
}

function glanceHtml({ text, interval, note, different, difference, isBest }: GlanceCell): string {
  const value = isBest ? `<b>${escapeHtml(text)}</b>` : escapeHtml(text);
  const small = [interval?.text, note, different].flatMap((one) => one ?? []).join(', ');
  const own = small === '' ? value : `${value}<small>${escapeHtml(small)}</small>`;
  if (!difference) return `${own}${interval ? intervalSvg(interval) : ''}`;
  const { sign, interval: range, word } = difference;
  const kind = sign === 'better' ? 'good' : sign === 'worse' ? 'bad' : '';
  const facts = [range?.text, difference.note].flatMap((one) => one ?? []).join(', ');
  const apart = `<span class="${kind}">${MARKS[sign]} ${escapeHtml(`${difference.text} ${word}`)}</span>`;
  return `${own}<p>${range ? intervalSvg(range) : ''}${apart}${facts === '' ? '' : `<small>${escapeHtml(facts)}</small>`}</p>`;
}

function intervalSvg({ low, high, at, even }: GlanceInterval): string {
  const [left, width] = [100 * low, Math.max(1, 100 * (high - low))];
  const point = Math.max(0, 100 * at - 1);
  const middle =
    even === undefined
      ? ''
      : `<line x1="${100 * even}" y1="0" x2="${100 * even}" y2="12" stroke-dasharray="2 2"/>`;
  return `<svg width="100" height="12" viewBox="0 0 100 12" aria-hidden="true"><line x1="0" y1="6" x2="100" y2="6"/><rect x="${left.toFixed(1)}" y="4" width="${width.toFixed(1)}" height="4"/>${middle}<rect class="point" x="${point.toFixed(1)}" y="1" width="2" height="10"/></svg>`;
}

function changesHtml({ changes }: ReportTexts): string {
  if (changes.length === 0) return '';
  const parts = changes.map(({ title, text, rows }) => {
    const list = rows.map((row) => `<li>${escapeHtml(row)}</li>`).join('');
    return `<p><b>${escapeHtml(title)}</b>: ${escapeHtml(text)}</p>${list === '' ? '' : `<ul>${list}</ul>`}`;
  });
  return `<h2>${l10n.t('Regressions')}</h2>\n${parts.join('\n')}\n`;
}

function rowHtml({ name, inputs, expected, cells }: ReportRow): string {
  const wanted =
    expected === undefined ? '' : `<small>${escapeHtml(l10n.t('expected {0}', expected))}</small>`;
  const input = `<th scope="row">${inputs.map(cellHtml).join('')}<small>${escapeHtml(name)}</small>${wanted}</th>`;
  return `<tr>${input}${cells.map((cell) => `<td>${cellHtml(cell)}</td>`).join('')}</tr>`;
}

function cellHtml({ text, facts, isRight, picture, hits, isCaptioned = false }: ReportCell): string {
  const mark =
    isRight === undefined
      ? ''
      : isRight
        ? `<span class="good">✓ ${l10n.t('right')}</span> `
        : `<span class="bad">✗ ${l10n.t('wrong')}</span> `;
  if (hits) return `${mark}<div class="hits">${hits.map(hitHtml).join('')}</div>${small(facts)}`;
  const shown = escapeHtml(text);
  const image = `<img alt="${isCaptioned ? '' : shown}" src="${escapeHtml(picture ?? '')}">`;
  const content = picture === undefined ? shown : `${image}${isCaptioned ? shown : ''}`;
  return `${mark}${content}${small(facts)}`;
}

function small(facts: string | undefined): string {
  return facts === undefined ? '' : `<small>${escapeHtml(facts)}</small>`;
}

/** A thumbnail, or the id where there is none, above its mark. */
function hitHtml({ text, picture, isRight }: ReportCell): string {
  const id = escapeHtml(text);
  const mark =
    isRight === undefined
      ? `<small>? ${l10n.t('not judged')}</small>`
      : isRight
        ? `<small class="good">✓ ${l10n.t('right')}</small>`
        : `<small class="bad">✗ ${l10n.t('wrong')}</small>`;
  return `<div>${picture === undefined ? id : `<img alt="${id}" title="${id}" src="${escapeHtml(picture)}">`}${mark}</div>`;
}
