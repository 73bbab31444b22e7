import * as l10n from '@vscode/l10n';
import { markdownText } from '../../wording/plainText';
import type { ReportTexts } from './reportTexts';

/** A summary for a pull request or an issue: one row for each column of the table. */
export function markdownSummary({ name, description, size, columns }: ReportTexts): string {
  const head = [
    l10n.t('Variation'),
    l10n.t('Runs'),
    l10n.t('Metrics'),
    l10n.t('Comparison'),
    l10n.t('Cost'),
    l10n.t('Duration'),
  ];
  const rows = columns.map(({ name: column, summary }) => [
    ...[column, summary.runs, summary.metrics.join('\n'), summary.comparisons.join('\n')],
    ...[summary.cost ?? '', summary.time ?? ''],
  ]);
  const table = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return [
    `# ${cell(name)}`,
    ...(description === undefined ? [] : [cell(description)]),
    cell(size),
    table.map((row) => `| ${row.join(' | ')} |`).join('\n'),
    '',
  ].join('\n\n');
}

/**
 * Text that stays text in any flavour of Markdown. GitHub makes mentions and references in rendered text, escaped or
 * not: a word joiner after their sign keeps people from being notified.
 */
function cell(text: string): string {
  return markdownText(text, '<br>').replaceAll(/[@#]/g, '$&\u2060');
}
