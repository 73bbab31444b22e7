import type { JudgementKind, JudgementLine } from './judgements';
import { shownLine } from './table/cellView';
import type { ExperimentTable } from './table/table';

/** A person's judgement of a cell. */
export interface Judgement {
  readonly row: number;
  readonly column: number;
  readonly kind: JudgementKind;
  /** Null: withdrawn. */
  readonly value: number | null;
  /** The columns that were in sight: of these one is preferred. */
  readonly columns: readonly number[];
  readonly blind: boolean;
}

/**
 * The lines that a judgement adds to the results: of the run that the cell shows, and for a preference also of the
 * others in its row, which then are not preferred. Empty without a finished run.
 */
export function judgementLines(
  table: ExperimentTable,
  { row, column, kind, value, columns, blind }: Judgement,
  at: Date,
): JudgementLine[] {
  const chosen = shownRun(table, row, column);
  if (chosen === undefined) return [];
  const others = kind === 'preferred' ? columns.map((other) => shownRun(table, row, other)) : [];
  // A run may serve several columns.
  const ids = new Set([chosen, ...others.filter((id) => id !== undefined)]);
  return [...ids].map((id) => ({
    custom_id: id,
    judgement: kind,
    value: id === chosen || value === null ? value : 0,
    judged_at: at.toISOString(),
    ...(blind && { blind }),
  }));
}

function shownRun(table: ExperimentTable, row: number, column: number): string | undefined {
  const line = shownLine(
    table,
    table.runs(row, column).flatMap((run) => run.line ?? []),
  );
  return line?.state === 'finished' ? line.custom_id : undefined;
}
