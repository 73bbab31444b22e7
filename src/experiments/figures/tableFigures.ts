import type { GlanceRow } from '../../protocol/experimentFigures';
import type { Metric } from '../metrics/metrics';
import { decided } from '../table/best';
import { type GlanceOptions, glanceRows } from '../table/glance';
import type { ExperimentTable } from '../table/table';
import { type Summary, summarise } from './summary';

/** All figures of a table with their signs: page, reports and terminal show these. */
export interface TableFigures extends GlanceOptions {
  readonly table: ExperimentTable;
  readonly summary: Summary;
  readonly baseline: number;
  /** Of all columns. */
  readonly names: readonly string[];
  readonly rows: readonly GlanceRow[];
}

interface FiguresAsked extends Pick<TableFigures, 'names' | 'locale'> {
  readonly margin: number | undefined;
  readonly baseline?: number;
  /** The columns with comparisons that are shown together; missing: all. */
  readonly shown?: readonly number[] | undefined;
  readonly ended?: GlanceOptions['ended'];
  readonly grouped?: GlanceOptions['grouped'];
  /** Where it has been computed. */
  readonly summary?: Summary;
}

export async function tableFigures(
  table: ExperimentTable,
  metrics: readonly Metric[],
  { margin, baseline = 0, shown = [...table.plan.variations.keys()], ...asked }: FiguresAsked,
): Promise<TableFigures> {
  const summary = asked.summary ?? (await summarise(table, metrics, baseline));
  const placeOf = (column: number) => table.placeIn(table.plan.variations[column]!);
  const options = { ...asked, ...(await decided(table, metrics, summary, { shown, margin })) };
  const figures = { ...options, table, metrics, summary, baseline, shown, placeOf };
  return { ...figures, rows: glanceRows(summary, figures) };
}
