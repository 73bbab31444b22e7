import * as l10n from '@vscode/l10n';
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

/** Text that stays text in any flavour of Markdown: each sign that could begin markup is escaped. */
function cell(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]()#+!|~$@^:]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\r?\n/g, '<br>');
}
