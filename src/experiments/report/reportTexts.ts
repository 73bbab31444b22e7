import type { HeadSummary } from '../table/headSummary';

/** The texts of an experiment for a summary and a report: plain texts of any origin. */
export interface ReportTexts {
  readonly name: string;
  readonly description?: string;
  /** "3 models × 50 files = 150 runs, about $0.30". */
  readonly size: string;
  readonly columns: readonly { readonly name: string; readonly summary: HeadSummary }[];
}
