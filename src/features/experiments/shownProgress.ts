import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import { costText, expectedCosts } from '../../experiments/expectedCosts';
import { gridCells } from '../../experiments/plan';
import { progressText } from '../../experiments/progressText';
import type { JobProgress } from '../../jobs/progress';
import type { TableProgress } from '../../protocol/experiment';
import type { Services } from '../../services';
import type { ExperimentState } from './experimentRuns';
import type { Counts } from './shownTable';
import type { TableSource } from './tableSource';

/**
 * The toolbar's progress of the runs of this window.
 * @param isOlder they were planned before the file or its inputs were changed
 */
export function shownProgress(
  running: ExperimentState | undefined,
  counts: Counts,
  { missing: estimate }: ExpectedTexts,
  language: string,
  isOlder = false,
): TableProgress {
  const idle = { state: 'idle' as const, ...counts, ...(estimate !== undefined && { estimate }) };
  if (!running) return idle;
  const textOf = (progress: JobProgress) =>
    isOlder
      ? l10n.t(
          '{0}. These are the runs of an earlier version of the file: cancel them, and run it again.',
          progressText(progress, language),
        )
      : progressText(progress, language);
  switch (running.state) {
    case 'queued':
    case 'running':
      return { ...counts, state: 'running', text: textOf(running) };
    case 'paused':
    case 'stopping':
      return { ...counts, state: running.state, text: textOf(running) };
    case 'interrupted':
      return { ...idle, state: 'interrupted' };
    case 'ended':
      return idle;
    default:
      return assertNever(running);
  }
}

/** The expected cost of runs: "about $2.40; 1 model has no published price". Missing: no price is known. */
export interface ExpectedTexts {
  /** All runs of the grid. */
  readonly all?: string;
  /** Those without a result. */
  readonly missing?: string;
}

export async function expectedTexts(
  { loaded, environment, own }: TableSource,
  services: Services,
): Promise<ExpectedTexts> {
  if (!loaded || !environment) return {};
  const estimates = await services.estimates();
  const { cells } = loaded.plan;
  const text = (some: typeof cells) =>
    costText(expectedCosts(some, loaded, environment.baseUrl, estimates), vscode.env.language);
  // The judges’ runs are counted with those that they follow.
  const all = text(gridCells({ cells }));
  const missing = text(cells.filter(({ customId }) => !own.lineOf(customId)));
  return { ...(all !== undefined && { all }), ...(missing !== undefined && { missing }) };
}
