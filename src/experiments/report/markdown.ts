import * as l10n from '@vscode/l10n';
import type { GlanceDifference } from '../../protocol/experimentFigures';
import { markdownText } from '../../wording/plainText';
import { MARKS } from '../../wording/signs';
import { checkText, type ReportTexts } from './reportTexts';

/** A summary for a pull request or an issue: one row for each column of the table. */
export function markdownSummary(texts: ReportTexts): string {
  const { name, description, size, date, baseline, columns, changes, checks = [] } = texts;
  const rows = columns.map(({ name: column, words }) => [cell(column), cell(words.join('\n'))]);
  return [
    `# ${cell(name)}`,
    ...(description === undefined ? [] : [cell(description)]),
    cell(size),
    cell(baseline === undefined ? date : `${date}. ${l10n.t('Baseline: {0}', baseline)}`),
    ...(checks.length === 0 ? [] : [checks.map((check) => `- ${cell(checkText(check))}`).join('\n')]),
    ...figuresTable(texts),
    ...changes.map(({ title, text, rows: changed }) =>
      [
        `${cell(title)}: ${cell(text)}`,
        ...(changed.length > 0 ? [''] : []),
        ...changed.map((row) => `- ${cell(row)}`),
      ].join('\n'),
    ),
    tableText([[l10n.t('Variation'), l10n.t('In words')], ...rows]),
    '',
  ].join('\n\n');
}

/** The figures of all columns below one another, the best in bold. */
function figuresTable({ columns, figures }: ReportTexts): string[] {
  if (figures.length === 0) return [];
  const head = ['', ...columns.map(({ name }) => cell(name))];
  const rows = figures.map(({ kind, name, cells }) => [
    `${kind === 'group' ? '· ' : ''}${cell(name)}`,
    ...cells.map((figure) => {
      if (!figure) return '';
      const { text, interval, note, different, difference, isBest } = figure;
      const facts = [interval?.text, note, different].flatMap((fact) => fact ?? []).join(', ');
      const own = `${isBest ? `**${cell(text)}**` : cell(text)}${facts === '' ? '' : ` (${cell(facts)})`}`;
      return difference ? `${own}<br>${cell(differenceText(difference))}` : own;
    }),
  ]);
  return [tableText([head, ...rows])];
}

/** @param rows of Markdown, the head first */
function tableText([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** "? +0.033 cannot tell yet, about 240 more rows (−0.050 to +0.117, n 54)". */
function differenceText({ sign, text, word, interval, note }: GlanceDifference): string {
  const facts = [interval?.text, note].flatMap((fact) => fact ?? []).join(', ');
  return `${MARKS[sign]} ${text} ${word}${facts === '' ? '' : ` (${facts})`}`;
}

/**
 * Text that stays text in any flavour of Markdown. GitHub makes mentions and references in rendered text, escaped or
 * not: a word joiner after their sign keeps people from being notified.
 */
function cell(text: string): string {
  return markdownText(text, '<br>').replaceAll(/[@#]/g, '$&\u2060');
}
