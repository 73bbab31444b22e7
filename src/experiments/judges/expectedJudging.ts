import type { LoadedExperiment } from '../file/load';
import type { AlikeRuns } from '../plan/expectedCosts';
import { gridRuns, type PlannedRun } from '../plan/plan';
import { baselineOf, type Judge } from './judge';
import { namesIn } from './template';

/** The runs of judges that more results would lead to, at most: equal requests are sent once. @param cells runs of the grid */
export function expectedJudging(
  { judges, plan }: Pick<LoadedExperiment, 'judges' | 'plan'>,
  cells: readonly PlannedRun[],
): AlikeRuns[] {
  const grid = gridRuns(plan);
  const chosen = gridRuns({ runs: cells });
  return judges.flatMap((judge) => {
    const runs =
      judge.metric.judge.kind === 'pairwise'
        ? pairsWith(judge, plan, grid, chosen)
        : judgedCount(judge, chosen);
    const { model, mode } = judge.draft;
    const media = /"media_ref"/.test(JSON.stringify(judge.draft.input)) ? 1 : 0;
    return runs === 0 ? [] : { model, mode, media, runs };
  });
}

/** Rows of one run differ in their expected values only. */
function judgedCount({ draft }: Judge, chosen: readonly PlannedRun[]): number {
  if (!namesIn(draft).has('expected')) return chosen.length;
  return chosen.reduce((sum, { serves }) => sum + serves.length, 0);
}

/** Both orders of the pairs with one of these runs. */
function pairsWith(
  { metric }: Judge,
  plan: LoadedExperiment['plan'],
  grid: readonly PlannedRun[],
  chosen: readonly PlannedRun[],
): number {
  const baseline = baselineOf(metric, plan);
  const isChosen = new Set(chosen.map(({ customId }) => customId));
  const ofBaseline = new Map<string, string>();
  const all = grid.flatMap(({ customId, repeat, serves }) =>
    serves.map(({ variation, item }) => ({ customId, variation, place: `${item} ${repeat}` })),
  );
  for (const { customId, variation, place } of all)
    if (variation === baseline) ofBaseline.set(place, customId);
  const pairs = all.filter(({ customId, variation, place }) => {
    const other = ofBaseline.get(place);
    if (variation === baseline || other === undefined || other === customId) return false;
    return isChosen.has(customId) || isChosen.has(other);
  });
  return 2 * pairs.length;
}
