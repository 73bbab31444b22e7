import type { ShownJudgement } from '../../protocol/experiment';
import type { JudgementLine } from '../results/judgements';
import type { ExperimentTable } from '../table/table';
import { shownLine } from '../table/tableCell';

/**
 * The lines that a person's judgement adds to the results: of the run that the cell shows, and for a preference also of the
 * others in its row, which then are not preferred. Empty without a finished run.
 */
export function judgementLines(
  table: ExperimentTable,
  { row, column, kind, value, note, columns, blind }: ShownJudgement,
  at: Date,
  by: string,
): JudgementLine[] {
  const chosen = shownRun(table, row, column, kind === 'note');
  if (chosen === undefined) return [];
  const others = kind === 'preferred' ? columns.map((other) => shownRun(table, row, other)) : [];
  // A run may serve several columns.
  const ids = new Set([chosen, ...others.filter((id) => id !== undefined)]);
  return [...ids].map((id) => ({
    custom_id: id,
    judgement: kind,
    judged_at: at.toISOString(),
    value: id === chosen || value === null ? value : 0,
    ...(note !== undefined && { note }),
    ...(by !== '' && { by }),
    ...(blind && { blind }),
  }));
}

function shownRun(
  table: ExperimentTable,
  row: number,
  column: number,
  alsoFailed = false,
): string | undefined {
  const line = shownLine(table, table.lines(row, column));
  return line?.state === 'finished' || alsoFailed ? line?.custom_id : undefined;
}
