import * as l10n from '@vscode/l10n';
import type { LoadedExperiment } from '../experiments/file/load';
import type { PlannedRun } from '../experiments/plan/plan';
import { decidedRuns, type KnownRunChoices, type SortedRuns } from '../experiments/plan/wantedRuns';
import { UnreadableLines } from '../experiments/results/resultsFile';
import type { ExperimentCall } from './experiment';
import type { PaidState } from './state';
import type { Terminal } from './terminal';
import { UsageError } from './usageError';

interface RunsToSend extends Pick<SortedRuns, 'loaded' | 'all' | 'underWay' | 'since' | 'known'> {
  readonly runs: readonly PlannedRun[];
}

/** The runs that a call sends. Undefined: none may be sent, and the reason was printed. @throws UsageError */
export async function runsToSend(
  { store }: PaidState,
  loaded: LoadedExperiment,
  results: string,
  runs: readonly PlannedRun[],
  call: ExperimentCall,
  accepted: KnownRunChoices['accepted'],
  terminal: Terminal,
): Promise<RunsToSend | undefined> {
  const decided = await decidedRuns(
    store,
    loaded,
    results,
    { accepted, ...choicesIn(call, results, terminal) },
    runs,
  ).catch((error: unknown) => {
    throw error instanceof UnreadableLines ? new UsageError(error.message) : error;
  });
  if (!decided) return undefined;
  const { missing, failed, unconfirmed, ...facts } = decided;
  if (call.retryUnconfirmed && unconfirmed.length > 0)
    terminal.warn(l10n.t('{0} unconfirmed runs are run again. They may be paid twice.', unconfirmed.length));
  const more = [...(call.retryFailed ? failed : []), ...(call.retryUnconfirmed ? unconfirmed : [])];
  return { ...facts, runs: [...missing, ...more] };
}

function choicesIn(
  call: ExperimentCall,
  results: string,
  terminal: Terminal,
): Omit<KnownRunChoices, 'accepted'> {
  return {
    isAgain: call.checkDrift !== undefined,
    async use(kept, open) {
      if (call.runDeleted) return false;
      const files = [...new Set(kept.map(({ file }) => file))].filter((file) => file !== results);
      terminal.print(
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
    },
  };
}
