import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { expectedCosts } from '../experiments/plan/expectedCosts';
import { planRuns } from '../experiments/plan/experimentJobs';
import { experimentPorts } from '../experiments/plan/experimentPorts';
import type { StartPorts } from '../experiments/plan/experimentStart';
import type { PlannedRun } from '../experiments/plan/plan';
import { type KnownRunChoices, type SortedRuns, underWayText } from '../experiments/plan/wantedRuns';
import type { MediaPorts } from '../experiments/results/mediaKeeper';
import { cannotWriteText } from '../experiments/results/resultsFile';
import { expectedCostText } from '../runFiles/expectedCost';
import type { ServiceClient } from '../service/client';
import { checkedUpload } from './checkedUpload';
import type { ExperimentOrder } from './experiment';
import type { Show } from './show';
import type { Paid, PaidState } from './state';

interface PaidCall {
  readonly asked: ExperimentOrder;
  readonly client: ServiceClient;
  readonly state: PaidState;
  /** Absolute paths of the results file and of the experiment. */
  readonly results: string;
  readonly path: string;
  readonly media: MediaPorts | undefined;
  readonly accepted: KnownRunChoices['accepted'];
  /** Whether results that the file no longer has are used, and their runs not sent again. */
  readonly usesKept: boolean;
  readonly show: Show;
}

/** Most requests at once; the service's limits are kept below this. */
const CONCURRENCY = 8;

/**
 * The ports of a call: its flags are the answers to all questions.
 * @returns `all`: IDs of the experiment's runs once they are sorted
 */
export function startPorts(call: PaidCall): {
  readonly ports: { readonly runs: StartPorts; readonly judges: StartPorts };
  readonly all: ReadonlySet<string>;
} {
  const { asked, client, state, results, show } = call;
  const all = new Set<string>();
  const costOf = (some: readonly PlannedRun[], { loaded }: SortedRuns) =>
    expectedCosts(some, loaded, client.baseUrl, state.estimates);
  // The expected cost of judges is part of that of the runs before.
  let paid: Paid | undefined;
  const portsOf = (retried: (sorted: SortedRuns) => readonly PlannedRun[]): StartPorts => ({
    accepted: call.accepted,
    isAgain: asked.checkDrift !== undefined,
    use: async (kept, open) => call.usesKept && useKept(kept, open, results, show),
    async choose(sorted) {
      for (const { customId } of sorted.all) all.add(customId);
      const runs = [...sorted.missing, ...retried(sorted)];
      if (runs.length + sorted.underWay.length > 0) showCost(runs, sorted);
      return [...runs, ...sorted.underWay];
    },
    async plan(sorted, runs) {
      paid ??= await state.pay(costOf(runs, sorted));
      const running = await planRuns(state.store, orderOf(call, sorted, runs, paid));
      await paid.agent?.noteWork(running.job.head.id);
      return running;
    },
  });
  const showCost = (runs: readonly PlannedRun[], sorted: SortedRuns) => {
    const cost = costOf(runs, sorted);
    const text = expectedCostText(cost);
    const isOfJudges = runs.every(({ judge }) => judge !== undefined);
    if (sorted.underWay.length > 0) show.print(underWayText(sorted.underWay.length));
    if (runs.length > 0) show.print(isOfJudges ? l10n.t('Judges: {0}', text) : text);
    if (cost.unpriced.length > 0) show.warn(l10n.t('No published price: {0}.', cost.unpriced.join(', ')));
  };
  const retried = ({ failed, unconfirmed }: SortedRuns) => {
    if (asked.retryUnconfirmed && unconfirmed.length > 0)
      show.warn(l10n.t('{0} unconfirmed runs are run again. They may be paid twice.', unconfirmed.length));
    return [...(asked.retryFailed ? failed : []), ...(asked.retryUnconfirmed ? unconfirmed : [])];
  };
  return { ports: { runs: portsOf(retried), judges: portsOf(() => []) }, all };
}

/** Says that results which the store has are used. */
function useKept(
  kept: Parameters<KnownRunChoices['use']>[0],
  open: number,
  results: string,
  show: Show,
): boolean {
  const files = [...new Set(kept.map(({ file }) => file))].filter((file) => file !== results);
  show.print(
    files.length === 0
      ? l10n.t(
          '{0} results were restored into {1}. To run them again, delete them and use --run-deleted.',
          ...[kept.length, results],
        )
      : l10n.t(
          '{0} of these {1} runs were paid in {2}: their results are used. To run them again, use --run-deleted.',
          ...[kept.length, open, files.join(', ')],
        ),
  );
  return true;
}

function orderOf(
  { client, results, path, media, show }: PaidCall,
  { loaded, since, known }: SortedRuns,
  runs: readonly PlannedRun[],
  paid: Paid,
): Parameters<typeof planRuns>[1] {
  const environment = { name: client.environment, baseUrl: client.baseUrl };
  const ports = experimentPorts({
    environment,
    contracts: loaded.contracts,
    ...paid,
    uploadSource: (file) => checkedUpload(file),
    client: async () => client,
    concurrency: () => CONCURRENCY,
    timeoutMs: () => 0,
  });
  return {
    environment,
    file: path,
    name: basename(path),
    results,
    loaded,
    runs,
    since,
    known,
    ports,
    ...(media && { media }),
    ...(paid.agent && { agent: paid.agent.mark }),
    cannotWrite: (error) => show.warn(cannotWriteText(results, error)),
  };
}
