import * as l10n from '@vscode/l10n';
import { gridRuns } from '../../experiments/plan/plan';
import { progressText } from '../../experiments/plan/progressText';
import type { JobProgress } from '../../jobs/progress';
import type { TableProgress } from '../../protocol/experiment';
import type { Services } from '../../services';
import type { ExperimentState } from './experimentRuns';
import { offeredCost } from './runCosts';
import type { Counts, PlanChange } from './shownTable';
import type { TableSource } from './tableSource';

/**
 * The toolbar's progress of the runs of this window.
 * @param change of the file or its inputs since they were planned
 */
export function shownProgress(
  running: ExperimentState | undefined,
  counts: Counts,
  { missing: estimate }: ExpectedTexts,
  language: string,
  change: PlanChange = { outdated: 0, added: 0 },
): TableProgress {
  const idle = { state: 'idle' as const, ...counts, estimate };
  if (!running) return idle;
  if (running.state === 'interrupted') return { ...idle, state: 'interrupted' };
  return {
    ...counts,
    ...countsOf(running),
    state: SHOWN_STATES[running.state],
    text: [progressText(running, language), ...changeTexts(change)].join('. '),
  };
}

/** Runs that have ended go on until the table has their results. */
const SHOWN_STATES = {
  queued: 'running',
  running: 'running',
  paused: 'paused',
  stopping: 'stopping',
  ended: 'stopping',
} as const satisfies Record<JobProgress['state'], TableProgress['state']>;

/** Of the runs that the text is about: the table gets their results later. */
function countsOf({ total, done, skipped, failed, unknown }: JobProgress) {
  return { total, finished: done + skipped, failed, unconfirmed: unknown };
}

/** The runs that a change of the file leaves under way, and those that it adds, in sentences. */
function changeTexts({ outdated, added }: PlanChange): string[] {
  if (outdated + added === 0) return [];
  return [
    ...(outdated === 0
      ? []
      : [
          outdated === 1
            ? l10n.t('1 run under way is of an earlier version of the file')
            : l10n.t('{0} runs under way are of an earlier version of the file', outdated),
        ]),
    ...(added === 0
      ? []
      : [
          added === 1
            ? l10n.t('1 new run of the file is not among them')
            : l10n.t('{0} new runs of the file are not among them', added),
        ]),
    l10n.t('Cancel, then run it again'),
  ];
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
  const { runs } = loaded.plan;
  const text = (some: typeof runs) => offeredCost(services, { environment, loaded }, some);
  // The judges’ runs are counted with those that they follow.
  const all = await text(gridRuns({ runs }));
  const missing = await text(runs.filter(({ customId }) => !own.lineOf(customId)));
  return { all, missing };
}
